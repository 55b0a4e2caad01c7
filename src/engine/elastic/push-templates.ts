import type { Clock } from '../../base/clock.js';
import { CrawlerError, throwIfCancelled } from '../../base/errors.js';
import type { Logger } from '../../base/logger.js';
import type { EngineClient } from './engine-client.js';
import { textAt } from './json.js';
import type { EngineCall } from './node-exchange.js';
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

/** Both kinds of templates are read and written alike. */
interface TemplateKind {
  readonly label: string;
  reading(name: string): EngineCall;
  writing(template: NamedTemplate): EngineCall;
}

const indexTemplate: TemplateKind = {
  label: 'index template',
  reading: (name) => ({
    name: `index template [${name}]`,
    send: (typed, options) => typed.indices.getIndexTemplate({ name }, options),
  }),
  writing: ({ name, body }) => ({
    name: `creation of the index template [${name}]`,
    send: (typed, options) => typed.indices.putIndexTemplate({ name, body }, options),
  }),
};

const componentTemplate: TemplateKind = {
  label: 'component template',
  reading: (name) => ({
    name: `component template [${name}]`,
    send: (typed, options) => typed.cluster.getComponentTemplate({ name }, options),
  }),
  writing: ({ name, body }) => ({
    name: `creation of the component template [${name}]`,
    send: (typed, options) => typed.cluster.putComponentTemplate({ name, template: {}, ...body }, options),
  }),
};

const licence: EngineCall = {
  name: 'licence of the search engine',
  send: (typed, options) => typed.license.get(undefined, options),
};

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
  const exists = await templateExists(deps, indexTemplate, set.index, signal);
  if (exists) deps.logger.debug(`The index template [${set.index.name}] exists and stays as it is.`);
  return !exists;
}

async function pushSet(deps: PushTemplatesDeps, set: TemplateSet, signal: AbortSignal): Promise<void> {
  await settleAll(set.components.map((component) => pushComponent(deps, component, signal)));
  await putTemplate(deps, indexTemplate, set.index, signal);
  deps.logger.info(`The index template [${set.index.name}] has been created.`);
}

async function pushComponent(deps: PushTemplatesDeps, component: NamedTemplate, signal: AbortSignal): Promise<void> {
  if (!deps.templates.forcePushTemplates && (await templateExists(deps, componentTemplate, component, signal))) {
    deps.logger.debug(`The component template [${component.name}] exists and stays as it is.`);
    return;
  }
  await putTemplate(deps, componentTemplate, component, signal);
  await untilReadable(deps, component, signal);
}

async function untilReadable(deps: PushTemplatesDeps, component: NamedTemplate, signal: AbortSignal): Promise<void> {
  const retries = new RetryState({ fault: READABLE, throttle: READABLE }, deps.clock);
  while (!(await templateExists(deps, componentTemplate, component, signal))) {
    const again = await retries.pause('fault', signal);
    throwIfCancelled(signal);
    if (!again) {
      const message = `Component template [${component.name}] did not become available within 60 seconds: try again later.`;
      throw new CrawlerError('timed_out', message, { subject: component.name });
    }
  }
}

async function templateExists(
  deps: PushTemplatesDeps,
  kind: TemplateKind,
  { name }: NamedTemplate,
  signal: AbortSignal,
): Promise<boolean> {
  const { status, body } = await deps.client.ask(kind.reading(name), signal);
  if (status === 404) return false;
  if (status < 300) return true;
  throw serverError(status, body, `The ${kind.label} [${name}] cannot be read`, name);
}

async function putTemplate(
  deps: PushTemplatesDeps,
  kind: TemplateKind,
  template: NamedTemplate,
  signal: AbortSignal,
): Promise<void> {
  const { status, body } = await deps.client.ask(kind.writing(template), signal);
  if (status < 300) return;
  const what = `The ${kind.label} [${template.name}] cannot be created, which engine.push_templates asks for`;
  throw serverError(status, body, what, template.name);
}

async function removeIndexTemplate(deps: PushTemplatesDeps, set: TemplateSet, signal: AbortSignal): Promise<void> {
  const { name } = set.index;
  if (!(await templateExists(deps, indexTemplate, set.index, signal))) return;
  const { status, body } = await deps.client.ask(
    {
      name: `deletion of the index template [${name}]`,
      send: (typed, options) => typed.indices.deleteIndexTemplate({ name }, options),
    },
    signal,
  );
  if (status >= 300 && status !== 404) {
    throw serverError(status, body, `The index template [${name}] cannot be replaced`, name);
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
    const { status, body } = await deps.client.ask(licence, signal);
    if (status < 300) return textAt(body, 'license', 'type') ?? 'unknown';
    if (status !== 404) return `unknown, HTTP status ${status}`;
    const again = await retries.pause('fault', signal);
    throwIfCancelled(signal);
    if (!again) return 'none';
  }
}
