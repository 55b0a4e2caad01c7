import { CrawlerError } from '../base/errors.js';
import type { JobSettings } from '../settings/job-settings.js';
import type { FetchOpener, FetchSources } from './fetch.js';
import { ftp } from './ftp/index.js';
import { http } from './http/index.js';
import { local } from './local/index.js';
import { s3 } from './s3/index.js';
import type { SourceContext } from './source-context.js';
import type { FetchContext, FetchDescription, SourceDescription } from './source-description.js';
import type { TreeSource } from './source.js';
import { ssh } from './ssh/index.js';
import type { TreeWatcher } from './tree-watch.js';
import { webdav } from './webdav/index.js';

/** Every source that there is. Adding one is a line here, and one in settings/declarations/sources when it can be crawled. */
export const sources: readonly SourceDescription[] = [local, http, s3, ssh, ftp, webdav];

/** Opens no connection yet. */
export async function openTreeSource(settings: JobSettings, context: SourceContext): Promise<TreeSource> {
  const { openTree } = descriptionOf(settings.fs.provider);
  if (openTree === undefined) {
    throw new CrawlerError('unsupported', `fs.provider [${settings.fs.provider}] cannot be crawled.`);
  }
  return await openTree(settings, context);
}

/** What `POST /_document` can fetch from, by type. */
export function fetchOpeners(context: FetchContext): FetchSources {
  return new Map(
    sources.flatMap(({ type, fetch }) =>
      fetch === undefined ? [] : [[type, lazyOpener(type, fetch, context)] as const],
    ),
  );
}

/** Undefined where only scans find changes. */
export async function loadTreeWatcher(provider: string): Promise<TreeWatcher | undefined> {
  return await descriptionOf(provider).loadWatcher?.();
}

/** Whether changes are reported as they happen. */
export function canBeWatched(provider: string): boolean {
  return descriptionOf(provider).loadWatcher !== undefined;
}

function descriptionOf(provider: string): SourceDescription {
  const found = sources.find(({ type }) => type === provider);
  if (found !== undefined) return found;
  throw new CrawlerError('unsupported', `fs.provider [${provider}] is not known.`);
}

function lazyOpener(type: string, description: FetchDescription, context: FetchContext): FetchOpener {
  return {
    type,
    open: async (parameters, signal) => await (await description.load(context)).open(parameters, signal),
  };
}
