import type { KindCount } from '../../crawler/scan/kind-counts.js';
import { kindOfName, type KindTime } from '../../extract/index.js';
import type { DocumentTime } from '../../model/document-time.js';

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
const MOST_GUESSED = 0.25;

/** A part of the work; `isGuess` when nobody has measured documents like these. */
interface Cost {
  readonly ms: number;
  readonly isGuess: boolean;
}

/**
 * Milliseconds that the files which are left will take, by the measured times of their kinds: half by their number, half by
 * their bytes. A document in hand takes what its remaining pages take where they are known, and as long again where it is
 * slower than its kind. Undefined where it would be a guess.
 */
export function remainingMs({ left, times, current, concurrency, overheadMs }: ForecastInput): number | undefined {
  const measured = timesByKind([...times, ...current.flatMap(timeByPages)]);
  const average = sumOf([...measured.values()]);
  if (average === undefined) return undefined;
  const inHand = current.map((document) => restOf(document, measured));
  const waiting = withoutThose(left, current).map((count) => costOf(count, measured, average));
  const extractionMs = sum([...inHand, ...waiting]);
  if (sum([...inHand, ...waiting].filter(({ isGuess }) => isGuess)) > MOST_GUESSED * extractionMs) return undefined;
  const files = left.reduce((count, each) => count + each.files, 0);
  const longestMs = Math.max(0, ...inHand.map(({ ms }) => ms));
  return Math.max(longestMs, extractionMs / Math.max(1, concurrency) + files * overheadMs);
}

/** Several extractors may have had documents of the same kind. */
function timesByKind(times: readonly KindTime[]): ReadonlyMap<string, KindTime> {
  const found = new Map<string, KindTime>();
  for (const time of times) {
    const known = found.get(time.kind);
    found.set(time.kind, known === undefined ? time : { ...time, ...sumOf([known, time]) });
  }
  return found;
}

function sumOf(times: readonly KindTime[]): KindTime | undefined {
  const total = { kind: times[0]?.kind ?? '', documents: 0, bytes: 0, ms: 0 };
  for (const { documents, bytes, ms } of times) {
    total.documents += documents;
    total.bytes += bytes;
    total.ms += ms;
  }
  return total.documents === 0 ? undefined : total;
}

/** What the pages that are done say about the whole document: as good as a document of its kind that is done. */
function timeByPages(document: DocumentTime): KindTime[] {
  const restMs = restByPages(document);
  if (restMs === undefined) return [];
  return [{ kind: kindOfName(document.document), documents: 1, bytes: 0, ms: document.elapsedMs + restMs }];
}

function restByPages({ elapsedMs, page = 1, pages }: DocumentTime): number | undefined {
  return pages === undefined || page < 2 ? undefined : (elapsedMs / (page - 1)) * (pages - page + 1);
}

function restOf(document: DocumentTime, measured: ReadonlyMap<string, KindTime>): Cost {
  const { elapsedMs } = document;
  const restMs = restByPages(document);
  if (restMs !== undefined) return { ms: restMs, isGuess: false };
  const time = measured.get(kindOfName(document.document));
  if (time === undefined) return { ms: elapsedMs, isGuess: true };
  const usualMs = time.ms / time.documents;
  return { ms: elapsedMs < usualMs ? usualMs - elapsedMs : elapsedMs, isGuess: false };
}

/** Files that nobody has begun with: a document in hand counts as an average one of its kind. */
function withoutThose(left: readonly KindCount[], current: readonly DocumentTime[]): KindCount[] {
  return left.map(({ kind, files, bytes }) => {
    const begun = current.filter(({ document }) => kindOfName(document) === kind).length;
    const share = Math.max(0, files - begun) / Math.max(1, files);
    return { kind, files: files * share, bytes: bytes * share };
  });
}

function costOf({ kind, files, bytes }: KindCount, measured: ReadonlyMap<string, KindTime>, average: KindTime): Cost {
  const time = measured.get(kind);
  const { documents, bytes: knownBytes, ms } = time ?? average;
  const byFiles = (ms / documents) * files;
  const byBytes = knownBytes === 0 ? byFiles : (ms / knownBytes) * bytes;
  return { ms: (byFiles + byBytes) / 2, isGuess: time === undefined };
}

function sum(costs: readonly Cost[]): number {
  return costs.reduce((total, { ms }) => total + ms, 0);
}
