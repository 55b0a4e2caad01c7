import type { DocumentTime } from '../extract/slowest-documents.js';
import { kindOfName, type KindTime } from '../extract/kind-times.js';
import type { KindCount } from './scan/kind-counts.js';

/** What an estimate of the time that a run still takes is made of. */
export interface ForecastInput {
  /** Files that are left, by kind; those in hand are among them. */
  readonly left: readonly KindCount[];
  /** Extractions since the program started. */
  readonly times: readonly KindTime[];
  readonly current: readonly DocumentTime[];
  /** Documents that are extracted at the same time. */
  readonly concurrency: number;
  /** Milliseconds that a document takes beside its extraction: listing, reading, writing. */
  readonly overheadMs: number;
}

/** More than this share of the work is of kinds that have not been measured: an estimate would be a guess. */
const MOST_UNMEASURED = 0.25;

/**
 * Milliseconds that the files which are left will take, by the measured times of their kinds: half by their number, half by
 * their bytes. A document in hand that takes longer than its kind does is expected to take as long again, or what its
 * remaining pages take. Undefined where it would be a guess.
 */
export function remainingMs(input: ForecastInput): number | undefined {
  const { left, times, current, concurrency, overheadMs } = input;
  const measured = byKind(times);
  const average = sumOf(times);
  if (average === undefined) return undefined;
  let extractionMs = 0;
  let guessedMs = 0;
  let files = 0;
  for (const count of left) {
    const time = measured.get(count.kind);
    const ms = costOf(count, time ?? average);
    extractionMs += ms;
    files += count.files;
    if (time === undefined) guessedMs += ms;
  }
  if (guessedMs > MOST_UNMEASURED * extractionMs) return undefined;
  const inHand = current.map((document) => restOf(document, measured.get(kindOfName(document.document)) ?? average));
  for (const { moreMs } of inHand) extractionMs += moreMs;
  const longestMs = Math.max(0, ...inHand.map(({ restMs }) => restMs));
  return Math.max(longestMs, extractionMs / Math.max(1, concurrency) + files * overheadMs);
}

/** Several extractors may have had documents of the same kind. */
function byKind(times: readonly KindTime[]): ReadonlyMap<string, KindTime> {
  const found = new Map<string, KindTime>();
  for (const time of times) found.set(time.kind, sumOf([time, ...ofKind(found, time.kind)]) ?? time);
  return found;
}

function ofKind(times: ReadonlyMap<string, KindTime>, kind: string): KindTime[] {
  const time = times.get(kind);
  return time === undefined ? [] : [time];
}

function sumOf(times: readonly KindTime[]): KindTime | undefined {
  const sum = { kind: times[0]?.kind ?? '', documents: 0, bytes: 0, ms: 0 };
  for (const { documents, bytes, ms } of times) {
    sum.documents += documents;
    sum.bytes += bytes;
    sum.ms += ms;
  }
  return sum.documents === 0 ? undefined : sum;
}

function costOf({ files, bytes }: Pick<KindCount, 'files' | 'bytes'>, time: KindTime): number {
  const byFiles = (time.ms / time.documents) * files;
  const byBytes = time.bytes === 0 ? byFiles : (time.ms / time.bytes) * bytes;
  return (byFiles + byBytes) / 2;
}

/** How long a document in hand still takes, and how much more or less that is than what its kind was counted with. */
function restOf(
  { elapsedMs, page, pages }: DocumentTime,
  time: KindTime,
): { readonly restMs: number; readonly moreMs: number } {
  const usualMs = time.ms / time.documents;
  const isByPages = page !== undefined && pages !== undefined && page > 1;
  const longMs = isByPages ? (elapsedMs / (page - 1)) * (pages - page + 1) : elapsedMs;
  const restMs = elapsedMs < usualMs && !isByPages ? usualMs - elapsedMs : longMs;
  return { restMs, moreMs: restMs - usualMs };
}
