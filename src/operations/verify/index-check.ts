import { CrawlerError } from '../../base/errors.js';
import { baseName, isWithin, parentPath } from '../../base/path.js';
import type { SearchEngine, StoredDocument } from '../../engine/engine.js';

/** A document of the job in the index, with the place that it tells of itself. */
export interface IndexedDocument {
  readonly id: string;
  readonly real: string;
  readonly folder: string;
  readonly name: string;
}

/** Asked of the index for each document: little enough that an engine need not touch the documents' texts. */
const PLACE_FIELDS = ['path.real', 'path.root'];

/**
 * The documents below a root, in pages. Uploads say nothing of a root and are passed over, like what was crawled from
 * elsewhere into the same index. An index that does not exist holds nothing.
 */
export async function* documentsBelow(
  engine: SearchEngine,
  index: string,
  root: string,
  signal: AbortSignal,
): AsyncGenerator<readonly IndexedDocument[]> {
  try {
    for await (const page of engine.scan(index, signal, PLACE_FIELDS)) {
      const places: IndexedDocument[] = [];
      for (const document of page) {
        const place = placeOf(document, root);
        if (place !== undefined) places.push(place);
      }
      yield places;
    }
  } catch (error) {
    if (!(error instanceof CrawlerError) || error.code !== 'not_found') throw error;
  }
}

function placeOf({ id, source }: StoredDocument, root: string): IndexedDocument | undefined {
  const path = source['path'] as Readonly<Record<string, unknown>> | undefined;
  const real = path?.['real'];
  if (typeof real !== 'string' || typeof path?.['root'] !== 'string' || !isWithin(root, real)) return undefined;
  return { id, real, folder: parentPath(real) ?? '', name: baseName(real) };
}

/** Which of these ids the index does not hold. */
export async function absentIds(
  engine: SearchEngine,
  index: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const absent = new Set(ids);
  if (ids.length === 0) return absent;
  const body = { query: { ids: { values: ids } }, size: ids.length, _source: false };
  try {
    const { hits } = await engine.search({ index, body }, signal);
    for (const { _id: id } of hits.hits) absent.delete(id);
  } catch (error) {
    if (!(error instanceof CrawlerError) || error.code !== 'not_found') throw error;
  }
  return absent;
}
