import { CrawlerError, messageOf } from '../../base/errors.js';
import { describeFile, formatText } from '../../base/file-format.js';
import { withTimeout } from '../../base/with-timeout.js';
import { loadTemplateSet } from '../../engine/elastic/templates.js';
import { indexPath } from '../../engine/embedded/index-path.js';
import { indexFormat } from '../../engine/embedded/store/upgrades.js';
import type { SearchEngine } from '../../engine/engine.js';
import { withoutCredentials } from '../../settings/without-credentials.js';
import type { JobPlace } from '../job/job-place.js';
import { broken, ok, skipped, warning, type Check } from './check.js';

const TIMEOUT_MS = 10_000;

/** Is the engine there, which one is it, what does it hold, and do its indices still have the fields they were made with? */
export function engineChecks(place: JobPlace, open: () => Promise<SearchEngine>): Promise<readonly Check[]> {
  return withTimeout(place.signal, TIMEOUT_MS, (signal) => checkEngine(place, open, signal));
}

async function checkEngine(
  place: JobPlace,
  open: () => Promise<SearchEngine>,
  signal: AbortSignal,
): Promise<readonly Check[]> {
  const { urls } = place.settings.engine;
  const where = urls.length === 0 ? embeddedIndex(place) : urls.map(withoutCredentials).join(', ');
  try {
    const engine = await open();
    const version = await engine.version(signal);
    const checks = [ok('engine', `${version} at ${where}`), ...(await indexChecks(place, engine, signal))];
    return urls.length === 0 ? checks : [...checks, ...(await mappingChecks(place, engine, signal))];
  } catch (error) {
    const why = signal.aborted ? `no answer within ${TIMEOUT_MS / 1000} s` : messageOf(error);
    const remedy = 'Check engine.urls, the network, engine.ca_certificate and the credentials; is the server running?';
    return [broken('engine', `${where}: ${why}`, remedy)];
  }
}

/** With the format of its file, as soon as there is one. */
function embeddedIndex({ jobDirectory }: JobPlace): string {
  const file = describeFile(indexPath(jobDirectory), indexFormat);
  return file === undefined ? 'embedded index' : `embedded index, ${formatText(file)}`;
}

async function indexChecks({ settings }: JobPlace, engine: SearchEngine, signal: AbortSignal): Promise<Check[]> {
  const { index, indexFolder } = settings.engine;
  const names = settings.fs.indexFolders ? [index, indexFolder] : [index];
  const checks: Check[] = [];
  for (const name of names) {
    try {
      const documents = await engine.count(name, undefined, signal);
      checks.push(ok('index', `[${name}] holds ${documents.toLocaleString('en')} documents`));
    } catch (error) {
      if (!(error instanceof CrawlerError) || error.code !== 'not_found') throw error;
      checks.push(skipped('index', `[${name}] does not exist yet: the first run makes it`));
    }
  }
  return checks;
}

/** An index keeps the mapping that it was made with: fields that a newer release added or changed are not in it. */
async function mappingChecks(
  { settings }: JobPlace,
  engine: SearchEngine,
  signal: AbortSignal,
): Promise<readonly Check[]> {
  const { index, indexFolder, pushTemplates } = settings.engine;
  const checks: Check[] = [];
  if (!pushTemplates) checks.push(skipped('templates', 'engine.push_templates is off: templates are yours to keep'));
  const sets = [
    { set: 'documents', index },
    ...(settings.fs.indexFolders ? [{ set: 'folders', index: indexFolder } as const] : []),
  ] as const;
  for (const { set, index: name } of sets) {
    const wanted = await templateFields(set, name, settings.name);
    const found = await mappedFields(engine, name, signal);
    if (found !== undefined) checks.push(driftOf(name, wanted, found));
  }
  return checks;
}

type Fields = ReadonlyMap<string, string>;

function driftOf(index: string, wanted: Fields, found: Fields): Check {
  const others = [...wanted].filter(([field, type]) => found.has(field) && found.get(field) !== type);
  const missing = [...wanted.keys()].filter((field) => !found.has(field));
  if (others.length === 0 && missing.length === 0)
    return ok('mapping', `[${index}] has the fields of the templates (${wanted.size})`);
  const texts = [
    ...others.map(([field, type]) => `${field} is ${found.get(field) ?? ''}, the template says ${type}`),
    ...missing.map((field) => `${field} is not mapped`),
  ];
  const shown = texts.length > 5 ? [...texts.slice(0, 5), `and ${texts.length - 5} more`] : texts;
  return warning(
    'mapping',
    `[${index}] differs from the templates: ${shown.join('; ')}`,
    'Searches in these fields may fail. Reindex into a new index that is made from the templates, or delete the index and run the job again.',
  );
}

async function templateFields(set: 'documents' | 'folders', index: string, job: string): Promise<Fields> {
  const { index: template, components } = await loadTemplateSet(set, { index, job });
  const fields = new Map<string, string>();
  for (const { body } of [...components, template]) {
    const mappings = member(member(body, 'template'), 'mappings');
    collect(fields, '', member(mappings, 'properties'));
  }
  return fields;
}

async function mappedFields(engine: SearchEngine, index: string, signal: AbortSignal): Promise<Fields | undefined> {
  try {
    const fields = new Map<string, string>();
    collect(fields, '', member(await engine.mapping(index, signal), 'properties'));
    return fields;
  } catch (error) {
    if (error instanceof CrawlerError && error.code === 'not_found') return undefined;
    throw error;
  }
}

function collect(fields: Map<string, string>, prefix: string, properties: unknown): void {
  if (typeof properties !== 'object' || properties === null) return;
  for (const [name, definition] of Object.entries(properties)) {
    const type = member(definition, 'type');
    if (typeof type === 'string' && type !== 'object') fields.set(prefix + name, type);
    collect(fields, `${prefix}${name}.`, member(definition, 'properties'));
  }
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
