import type { StoredDocument } from '../engine/engine.js';
import type { CrawlDocument } from '../model/document.js';
import { reasons, type Reason } from '../model/reason.js';
import { documentFacts, type DocumentFacts } from './found-hit.js';

/** What is known of one document, without its text. */
export interface DocumentView extends Omit<DocumentFacts, 'problem'> {
  readonly id: string;
  readonly index: string;
  readonly version: number;
  readonly created: string | null;
  readonly indexed: string | null;
  /** Metadata as it was extracted, without the raw one. */
  readonly meta: Readonly<Record<string, unknown>>;
  readonly external: Readonly<Record<string, unknown>>;
  readonly problem: { readonly reason: string; readonly sentence: string | null } | null;
  /** Of its text in the index. */
  readonly characters: number;
  /** The document has more text than the index keeps of it. */
  readonly truncated: boolean;
}

export function documentView({ index, id, version, source }: StoredDocument): DocumentView {
  const document = source as CrawlDocument;
  const { problem, ...facts } = documentFacts(document, id);
  const { file, meta, external, content = '' } = document;
  const shown = Object.entries(meta ?? {}).filter(([name]) => name !== 'raw');
  return {
    id,
    index,
    version,
    ...facts,
    created: file?.created ?? null,
    indexed: file?.indexing_date ?? null,
    meta: Object.fromEntries(shown),
    external: external ?? {},
    problem: problem === null ? null : { reason: problem, sentence: sentenceOf(problem) },
    characters: content.length,
    truncated: file?.indexed_chars !== undefined && content.length >= file.indexed_chars,
  };
}

function sentenceOf(problem: string): string | null {
  return Object.hasOwn(reasons, problem) ? reasons[problem as Reason] : null;
}
