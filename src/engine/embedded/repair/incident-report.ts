import { grouped } from '../../../base/grouped.js';
import type { IndexIncident, LostDocument } from '../../index-incidents.js';

/** What a repair has come to, and how it is reported. */
export interface RepairOutcome {
  readonly path: string;
  readonly identity: string;
  /** Completes "The index was damaged: …". */
  readonly reason: string;
  /** Before; undefined when nothing tells. */
  readonly documents: number | undefined;
  readonly recovered: number;
  /** Of those, the ones that may differ from what they were. */
  readonly doubtful: number;
  /** Documents without a file behind them that were not recovered, and some of their names. */
  readonly lost: number;
  readonly lostDocuments: readonly LostDocument[];
}

export function repairIncident(outcome: RepairOutcome): IndexIncident {
  const { path, identity, reason, documents, recovered, doubtful, lost, lostDocuments } = outcome;
  const of = documents === undefined ? '' : ` of ${counted(documents)}`;
  const sentences = [
    `The index [${path}] was damaged: ${reason}.`,
    `${grouped(recovered)}${of || ' documents'} were recovered.`,
    lost === 0
      ? 'Whatever else it held has a file behind it and is indexed again.'
      : `${counted(lost)} without a file behind them (uploads) are lost${namesOf(lost, lostDocuments)}; send them again.`,
    ...(doubtful === 0 ? [] : [`${counted(doubtful)} may differ from what was uploaded, or have another id.`]),
  ];
  return {
    at: new Date().toISOString(),
    identity,
    message: sentences.join(' '),
    kept: null,
    documents: documents ?? null,
    recovered,
    lost,
    lost_documents: lostDocuments,
  };
}

/** Undefined when every document that was there has a file behind it: the tree has them all. */
export function goneIncident(path: string, identity: string, held: Held): IndexIncident | undefined {
  if (held.withoutFile === 0) return undefined;
  const message =
    `The index [${path}] is gone or was replaced. It held ${counted(held.documents)}, ` +
    `${grouped(held.withoutFile)} of them without a file behind them (uploads): ` +
    'put the file back, or send those again.';
  return {
    at: new Date().toISOString(),
    identity,
    message,
    kept: null,
    documents: held.documents,
    recovered: 0,
    lost: held.withoutFile,
    lost_documents: [],
  };
}

export interface Held {
  readonly documents: number;
  readonly withoutFile: number;
}

const NAMED = 10;

function namesOf(lost: number, documents: readonly LostDocument[]): string {
  if (documents.length === 0) return '';
  const names = documents.slice(0, NAMED).map(({ id, filename }) => filename ?? id);
  return ` (${names.join(', ')}${lost > names.length ? ' …' : ''})`;
}

function counted(documents: number): string {
  return documents === 1 ? '1 document' : `${grouped(documents)} documents`;
}
