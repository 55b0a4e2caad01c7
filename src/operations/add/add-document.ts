import { CrawlerError } from '../../base/errors.js';
import type { Ingester } from '../../ingest/ingest.js';
import type { FetchSources } from '../../source/fetch.js';

export interface AddParts {
  readonly ingester: Ingester;
  readonly fetchSources: FetchSources;
}

export interface AddOutcome {
  readonly ok: boolean;
  /** Of the document; null when there is none. */
  readonly id: string | null;
  /** Why it was not added, or is there without all of its text. */
  readonly warning: string | null;
}

/** Fetches one file, by its path below `fs.url` or its address, and indexes it as an upload. What goes wrong is an outcome. */
export async function addDocument(
  { ingester, fetchSources }: AddParts,
  source: { readonly path: string } | { readonly url: string },
  signal: AbortSignal,
): Promise<AddOutcome> {
  const [type, url] = 'path' in source ? ['local', source.path] : ['http', source.url];
  const opener = fetchSources.get(type);
  if (opener === undefined) throw new CrawlerError('internal', `There is no source [${type}] to fetch from.`);
  let target: Awaited<ReturnType<typeof opener.open>> | undefined;
  try {
    target = await opener.open({ url }, signal);
    const { entry, content, place } = target;
    const outcome = await ingester.ingest({ entry, content, place, origin: 'rest' }, signal);
    if (outcome.status === 'indexed') return { ok: true, id: outcome.id, warning: outcome.problem?.message ?? null };
    return { ok: false, id: null, warning: outcome.problem.message };
  } catch (error) {
    if (!(error instanceof CrawlerError) || error.code === 'cancelled' || error.code === 'internal') throw error;
    return { ok: false, id: null, warning: refusal(error) };
  } finally {
    await target?.close();
  }
}

/** Sentences about files name paths of this machine, and those about addresses what was found there. */
function refusal({ code }: CrawlerError): string {
  switch (code) {
    case 'not_found':
      return 'There is no such file.';
    case 'denied':
      return 'It lies outside of what may be fetched: below the root of the documents, or addresses that rest.fetch allows.';
    case 'too_large':
      return 'It is larger than rest.max_upload_size.';
    case 'usage':
    case 'unsupported':
      return 'It cannot be fetched from there.';
    default:
      return 'It could not be fetched.';
  }
}
