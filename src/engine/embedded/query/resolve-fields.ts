import { CrawlerError } from '../../../base/errors.js';
import type { FieldView, IndexFields } from '../fields/index-fields.js';
import { unsupported } from './body-reader.js';
import type { FieldWeight } from './query-tree.js';

/** What a query is compiled for: the fields of one index, and what `now` means in date math. */
export interface CompileContext {
  readonly fields: IndexFields;
  readonly nowMs: number;
}

export interface WeightedField {
  readonly view: FieldView;
  readonly weight: number;
  /** Named by a pattern: a text that does not fit the field is then no fault. */
  readonly byPattern: boolean;
}

/** Elasticsearch's limit for what a pattern may stand for. */
const MAX_FIELDS = 1024;

const METADATA_FIELDS: ReadonlySet<string> = new Set([
  '_doc_count',
  '_field_names',
  '_ignored',
  '_index',
  '_routing',
  '_seq_no',
  '_size',
  '_source',
  '_tier',
  '_type',
  '_version',
]);

/** Elasticsearch's own fields are not data: a name that is one must not look like a field without documents. */
export function checkedName(name: string): string {
  if (METADATA_FIELDS.has(name)) throw unsupported(`queries of [${name}]`);
  return name;
}

/** The field behind a name; undefined when no document has it, which is no fault: nothing matches. */
export function resolveField(name: string, { fields }: CompileContext): FieldView | undefined {
  const view = fields.view(checkedName(name));
  if (view?.unsearchable) throw unsearchable(name);
  return view;
}

/** Patterns (`meta.*`) mean every field that they fit and that can be searched. */
export function resolveFields(named: readonly FieldWeight[], context: CompileContext): WeightedField[] {
  const resolved = named.flatMap(({ name, weight }) => {
    const byPattern = name.includes('*');
    const views = byPattern
      ? context.fields.matching(name).map((each) => context.fields.view(each))
      : [resolveField(name, context)];
    return views.flatMap((view) => (view === undefined || view.unsearchable ? [] : [{ view, weight, byPattern }]));
  });
  if (resolved.length <= MAX_FIELDS) return resolved;
  const found = `The query looks in ${resolved.length} fields, more than ${MAX_FIELDS}.`;
  throw new CrawlerError('unsupported', `${found} Name the fields, or none to look everywhere.`);
}

function unsearchable(name: string): CrawlerError {
  return unsupported(`searching in [${name}]`, 'The field is stored, but not indexed.');
}
