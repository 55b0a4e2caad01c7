import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../base/package-root.js';

/**
 * Index and component templates are data in `settings/templates/`: `index/<file>.json` names the components that it is
 * composed of, in order, and `component/<file>.json` holds one piece. `${index}` and `${job}` in any key or string stand
 * for the names of this job. The names begin with `fscrawler_`, so that a cluster that FSCrawler has prepared is recognised.
 */
export interface NamedTemplate {
  readonly name: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface TemplateSet {
  readonly index: NamedTemplate;
  readonly components: readonly NamedTemplate[];
}

export interface TemplateNames {
  readonly index: string;
  readonly job: string;
}

export type TemplateSetName = 'documents' | 'documents_semantic' | 'folders';

interface TemplateFile extends NamedTemplate {
  readonly components?: readonly string[];
}

const FOLDER = join(packageRoot, 'settings', 'templates');

export async function loadTemplateSet(set: TemplateSetName, names: TemplateNames): Promise<TemplateSet> {
  const index = await load('index', set, names);
  const components = await Promise.all((index.components ?? []).map((each) => load('component', each, names)));
  const composedOf = components.map(({ name }) => name);
  return { index: { name: index.name, body: { ...index.body, composed_of: composedOf } }, components };
}

/** An index cannot have an alias of its own name: a job that is called like its index gets none. */
async function load(kind: 'index' | 'component', file: string, names: TemplateNames): Promise<TemplateFile> {
  const text = await readFile(join(FOLDER, kind, `${file}.json`), 'utf8');
  const template = fill(JSON.parse(text), names) as TemplateFile;
  const isOwnAlias = file === 'alias' && names.job === names.index;
  return isOwnAlias ? { ...template, body: { template: {} } } : template;
}

function fill(value: unknown, names: TemplateNames): unknown {
  if (typeof value === 'string') return fillText(value, names);
  if (Array.isArray(value)) return value.map((each) => fill(each, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [fillText(key, names), fill(each, names)]));
}

function fillText(text: string, names: TemplateNames): string {
  return text.replace(/\$\{(index|job)\}/g, (_, name: keyof TemplateNames) => names[name]);
}
