import type { CrawlerError } from '../../../base/errors.js';
import type { IndexTerms } from '../vocabulary/index-terms.js';
import type { FieldView, IndexFields } from '../fields/index-fields.js';
import { DEFAULT_COLUMNS, type FtsColumn } from '../store/schema.js';
import { unsupported } from '../../query/body-reader.js';
import { MAX_CLAUSES } from './clause-limit.js';
import type { FieldWeight } from '../../query/query-tree.js';

/** What a query is compiled for: the fields of one index, and what `now` means in date math. */
export interface CompileContext {
  readonly fields: IndexFields;
  readonly nowMs: number;
  /** How many fields without a column of their own a pattern may stand for before it stands for all of them. */
  readonly fieldsOfPattern: number;
  /** How many words of the index a word of the query may stand for. */
  readonly expansions: number;
  readonly terms: IndexTerms;
  readonly documents: DocumentLookup;
}

/** The documents of the index that is searched. */
export interface DocumentLookup {
  readonly index: string;
  /** Undefined when there is no such document. */
  readonly source: (id: string) => Readonly<Record<string, unknown>> | undefined;
}

/** `clauses` is the number of clauses of the query: the more there are, the fewer fields and words each may stand for. */
export function compileContext(
  clauses: number,
  known: Pick<CompileContext, 'fields' | 'terms' | 'documents'>,
): CompileContext {
  const expansions = Math.max(1, Math.floor(MAX_CLAUSES / Math.max(1, clauses)));
  const fieldsOfPattern = Math.min(MAX_FIELDS_OF_PATTERN, expansions);
  return { ...known, nowMs: Date.now(), fieldsOfPattern, expansions };
}

export interface WeightedField {
  readonly view: FieldView;
  readonly weight: number;
  /** Named by a pattern: a text that does not fit the field is then no fault. */
  readonly byPattern: boolean;
}

const MAX_FIELDS_OF_PATTERN = 64;

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

/**
 * A pattern (`meta.*`) means every field that it fits and that can be searched, but for those that are named beside it. `*`
 * is the text of all fields. Keys of documents are data: when a pattern fits too many fields without a column of their own,
 * their words are looked for where the text of all such fields is, so that a search is never refused for what documents hold.
 */
export function resolveFields(named: readonly FieldWeight[], context: CompileContext): WeightedField[] {
  const explicit = new Set(named.map(({ name }) => name));
  return named.flatMap(({ name, weight }) => {
    if (!name.includes('*')) return searchable([resolveField(name, context)], weight, false);
    if (/^\*+$/.test(name)) return searchable(textOfAll(explicit, context), weight, true);
    const names = context.fields.matching(name).filter((each) => !explicit.has(each));
    const views = names.map((each) => context.fields.view(each));
    return searchable(withoutTooMany(views, context), weight, true);
  });
}

function searchable(views: readonly (FieldView | undefined)[], weight: number, byPattern: boolean): WeightedField[] {
  return views.flatMap((view) => (view === undefined || view.unsearchable ? [] : [{ view, weight, byPattern }]));
}

function withoutTooMany(
  views: readonly (FieldView | undefined)[],
  { fieldsOfPattern }: CompileContext,
): readonly (FieldView | undefined)[] {
  const withColumns = views.filter((view) => view?.text?.scope === undefined);
  return views.length - withColumns.length > fieldsOfPattern ? [...withColumns, column('extra')] : views;
}

/** The columns of the full text, but for those of fields that are named. */
function textOfAll(explicit: ReadonlySet<string>, { fields }: CompileContext): FieldView[] {
  const taken = new Set([...explicit].map((name) => fields.view(name)?.text?.column));
  return [...DEFAULT_COLUMNS.keys()].filter((each) => !taken.has(each)).map(column);
}

/** A column of the full text as a field. */
function column(name: FtsColumn): FieldView {
  const text = { column: name, scope: undefined };
  return { name: '*', type: 'text', stores: [], text, tree: false, unsearchable: false };
}

function unsearchable(name: string): CrawlerError {
  return unsupported(`searching in [${name}]`, 'The field is stored, but not indexed.');
}
