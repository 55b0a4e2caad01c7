import type { Clock } from '../../base/clock.js';
import { CrawlerError, throwIfCancelled } from '../../base/errors.js';
import type { Logger } from '../../base/logger.js';
import type { EngineClient } from './engine-client.js';
import { textAt } from './json.js';
import { RetryState, type BackoffPolicy } from './retry-state.js';
import { serverError } from './server-errors.js';
import { knowsSemanticText, type ServerInfo } from './server.js';
import { settleAll } from './settle-all.js';
import { loadTemplateSet, type NamedTemplate, type TemplateSet } from './templates.js';

/** The template part of the `engine` settings, and what the job wants to write at all. */
export interface ElasticTemplates {
  readonly jobName: string;
  readonly index: string;
  readonly indexFolder: string;
  readonly pushTemplates: boolean;
  readonly forcePushTemplates: boolean;
  readonly semanticSearch: boolean;
  readonly foldersWanted: boolean;
  /** False when the documents of the job have no mapping of ours (JSON or XML as inner object). */
  readonly documentsWanted: boolean;
}

export interface PushTemplatesDeps {
  readonly client: EngineClient;
  readonly templates: ElasticTemplates;
  readonly server: ServerInfo;
  readonly clock: Clock;
  readonly logger: Logger;
}

const READABLE: BackoffPolicy = { firstMs: 100, maxMs: 5_000, totalMs: 60_000 };
const LICENCE: BackoffPolicy = { firstMs: 500, maxMs: 5_000, totalMs: 60_000 };
const SEMANTIC_LICENCES: ReadonlySet<string> = new Set(['enterprise', 'trial']);

/**
 * An index template that exists is left alone with all its components, unless pushing is forced. Otherwise each component
 * that is missing is created (all of them when forced), so that a component somebody has made beforehand – another
 * analyzer for `content`, say – is kept; then the index template that is composed of them.
 *
 * A server takes some 50 ms for each change, but many at a time: what does not depend on each other is sent together.
 */
export async function pushTemplates(deps: PushTemplatesDeps, signal: AbortSignal): Promise<void> {
  const { pushTemplates: isAsked, documentsWanted, foldersWanted } = deps.templates;
  if (!isAsked) return;
  await settleAll([
    ...(documentsWanted ? [pushDocuments(deps, signal)] : []),
    ...(foldersWanted ? [pushFolders(deps, signal)] : []),
  ]);
}

async function pushFolders(deps: PushTemplatesDeps, signal: AbortSignal): Promise<void> {
  const { indexFolder: index, jobName: job } = deps.templates;
  const folders = await loadTemplateSet('folders', { index, job });
  if (await isWanted(deps, folders, signal)) await pushSet(deps, folders, signal);
}

/** Plain and semantic variant match the same index with the same priority, so that only one of them may exist. */
async function pushDocuments(deps: PushTemplatesDeps, signal: AbortSignal): Promise<void> {
  const names = { index: deps.templates.index, job: deps.templates.jobName };
  const [plain, semantic] = await Promise.all([
    loadTemplateSet('documents', names),
    loadTemplateSet('documents_semantic', names),
  ]);
  const areWanted = await settleAll([isWanted(deps, plain, signal), isWanted(deps, semantic, signal)]);
  if (areWanted.includes(false)) return;
  const isSemantic = await allowsSemanticSearch(deps, signal);
  const [chosen, other] = isSemantic ? [semantic, plain] : [plain, semantic];
  if (deps.templates.forcePushTemplates) await removeIndexTemplate(deps, other, signal);
  await pushSet(deps, chosen, signal);
}

async function isWanted(deps: PushTemplatesDeps, set: TemplateSet, signal: AbortSignal): Promise<boolean> {
  if (deps.templates.forcePushTemplates) return true;
  const exists = await templateExists(deps, indexPath(set.index), signal);
  if (exists) deps.logger.debug(`The index template [${set.index.name}] exists and stays as it is.`);
  return !exists;
}

async function pushSet(deps: PushTemplatesDeps, set: TemplateSet, signal: AbortSignal): Promise<void> {
  await settleAll(set.components.map((component) => pushComponent(deps, component, signal)));
  await putTemplate(deps, indexPath(set.index), set.index, 'index template', signal);
  deps.logger.info(`The index template [${set.index.name}] has been created.`);
}

async function pushComponent(deps: PushTemplatesDeps, component: NamedTemplate, signal: AbortSignal): Promise<void> {
  const path = componentPath(component);
  if (!deps.templates.forcePushTemplates && (await templateExists(deps, path, signal))) {
    deps.logger.debug(`The component template [${component.name}] exists and stays as it is.`);
    return;
  }
  await putTemplate(deps, path, component, 'component template', signal);
  await untilReadable(deps, component, path, signal);
}

async function untilReadable(
  deps: PushTemplatesDeps,
  component: NamedTemplate,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  const retries = new RetryState({ fault: READABLE, throttle: READABLE }, deps.clock);
  while (!(await templateExists(deps, path, signal))) {
    const again = await retries.pause('fault', signal);
    throwIfCancelled(signal);
    if (!again) {
      const message = `Component template [${component.name}] did not become available within 60 seconds: try again later.`;
      throw new CrawlerError('timed_out', message, { subject: component.name });
    }
  }
}

async function templateExists(deps: PushTemplatesDeps, path: string, signal: AbortSignal): Promise<boolean> {
  const { status, body } = await deps.client.request({ method: 'GET', path }, signal);
  if (status === 404) return false;
  if (status < 300) return true;
  throw serverError(status, body, `The templates of the search engine cannot be read at [${path}]`, path);
}

async function putTemplate(
  deps: PushTemplatesDeps,
  path: string,
  template: NamedTemplate,
  kind: string,
  signal: AbortSignal,
): Promise<void> {
  const { status, body } = await deps.client.request({ method: 'PUT', path, body: template.body }, signal);
  if (status < 300) return;
  const what = `The ${kind} [${template.name}] cannot be created, which engine.push_templates asks for`;
  throw serverError(status, body, what, template.name);
}

async function removeIndexTemplate(deps: PushTemplatesDeps, set: TemplateSet, signal: AbortSignal): Promise<void> {
  const path = indexPath(set.index);
  if (!(await templateExists(deps, path, signal))) return;
  const { status, body } = await deps.client.request({ method: 'DELETE', path }, signal);
  if (status >= 300 && status !== 404) {
    throw serverError(status, body, `The index template [${set.index.name}] cannot be replaced`, set.index.name);
  }
}

async function allowsSemanticSearch(deps: PushTemplatesDeps, signal: AbortSignal): Promise<boolean> {
  const { templates, server, logger } = deps;
  if (!templates.semanticSearch) return false;
  if (!knowsSemanticText(server)) {
    logger.info(`Semantic search needs Elasticsearch 8.17 or newer, this is [${server.label}]: content is plain text.`);
    return false;
  }
  if (server.kind === 'serverless') return true;
  const licence = await licenceOf(deps, signal);
  if (SEMANTIC_LICENCES.has(licence)) return true;
  logger.info(`Semantic search needs an enterprise or trial licence, this is [${licence}]: content is plain text.`);
  return false;
}

/** A cluster that has just started answers 404 until it has found its licence. */
async function licenceOf(deps: PushTemplatesDeps, signal: AbortSignal): Promise<string> {
  const retries = new RetryState({ fault: LICENCE, throttle: LICENCE }, deps.clock);
  for (;;) {
    const { status, body } = await deps.client.request({ method: 'GET', path: '/_license' }, signal);
    if (status < 300) return textAt(body, 'license', 'type') ?? 'unknown';
    if (status !== 404) return `unknown, HTTP status ${status}`;
    const again = await retries.pause('fault', signal);
    throwIfCancelled(signal);
    if (!again) return 'none';
  }
}

function indexPath(template: NamedTemplate): string {
  return `/_index_template/${encodeURIComponent(template.name)}`;
}

function componentPath(template: NamedTemplate): string {
  return `/_component_template/${encodeURIComponent(template.name)}`;
}
