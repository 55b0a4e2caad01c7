import { CrawlerError } from '../../base/errors.js';
import type { EngineFinding } from '../engine.js';
import type { ElasticTemplates } from './push-templates.js';
import { loadTemplateSet } from './templates.js';

type MappingReader = (index: string) => Promise<Readonly<Record<string, unknown>>>;

const KEPT_BY_HAND = 'engine.push_templates is off: the templates are kept by hand';

/** An index keeps the mapping that it was made with: fields that a newer release added or changed are not in it. */
export async function mappingDrift(
  { index, indexFolder, jobName, pushTemplates, foldersWanted }: ElasticTemplates,
  mappingOf: MappingReader,
): Promise<readonly EngineFinding[]> {
  const findings: EngineFinding[] = [];
  if (!pushTemplates) findings.push({ name: 'templates', status: 'skipped', text: KEPT_BY_HAND });
  const sets = [
    { set: 'documents', index },
    ...(foldersWanted ? [{ set: 'folders', index: indexFolder } as const] : []),
  ] as const;
  for (const { set, index: name } of sets) {
    const wanted = await templateFields(set, name, jobName);
    const found = await mappedFields(mappingOf, name);
    if (found !== undefined) findings.push(driftOf(name, wanted, found));
  }
  return findings;
}

type Fields = ReadonlyMap<string, string>;

function driftOf(index: string, wanted: Fields, found: Fields): EngineFinding {
  const others = [...wanted].filter(([field, type]) => found.has(field) && found.get(field) !== type);
  const missing = [...wanted.keys()].filter((field) => !found.has(field));
  if (others.length === 0 && missing.length === 0)
    return { name: 'mapping', status: 'ok', text: `[${index}] has the fields of the templates (${wanted.size})` };
  const texts = [
    ...others.map(([field, type]) => `${field} is ${found.get(field) ?? ''}, the template says ${type}`),
    ...missing.map((field) => `${field} is not mapped`),
  ];
  const shown = texts.length > 5 ? [...texts.slice(0, 5), `and ${texts.length - 5} more`] : texts;
  return {
    name: 'mapping',
    status: 'warning',
    text: `[${index}] differs from the templates: ${shown.join('; ')}`,
    remedy:
      'Searches in these fields may fail. Reindex into a new index that is made from the templates, or delete the index and run the job again.',
  };
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

async function mappedFields(mappingOf: MappingReader, index: string): Promise<Fields | undefined> {
  try {
    const fields = new Map<string, string>();
    collect(fields, '', member(await mappingOf(index), 'properties'));
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
