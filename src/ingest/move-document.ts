import { extensionOf } from '../base/path.js';
import type { SearchEngine } from '../engine/engine.js';
import type { DocumentSource } from '../model/document.js';
import type { Entry } from '../model/entry.js';
import { toUtcInstant } from '../model/dates.js';
import type { BulkWriter } from './bulk-writer.js';
import type { DocumentLocation } from './ingest.js';

export interface DocumentMove {
  readonly index: string;
  readonly fromId: string;
  readonly toId: string;
  readonly entry: Entry;
  readonly place: DocumentLocation;
}

export type MoveOutcome =
  | { readonly status: 'moved' }
  | { readonly status: 'missing' }
  | { readonly status: 'failed'; readonly reason: 'unavailable' | 'disk_full' | 'rejected'; readonly message: string };

/**
 * Gives the document of a moved file its new id and place without reading the file again. The new document is written
 * before the old one is deleted: at no time is the file missing from the index.
 */
export async function moveDocument(
  engine: SearchEngine,
  writer: BulkWriter,
  move: DocumentMove,
  signal: AbortSignal,
): Promise<MoveOutcome> {
  const { index, fromId, toId, entry } = move;
  const stored = await engine.get(index, fromId, signal);
  if (stored === undefined || !tellsOf(entry, stored.source)) return { status: 'missing' };
  const written = await writer.write({ kind: 'index', index, id: toId, document: relocated(stored.source, move) });
  if (!written.ok) {
    const isAway = written.code === 'unavailable' || written.code === 'rate_limited';
    const reason = written.isDiskFull === true ? 'disk_full' : isAway ? 'unavailable' : 'rejected';
    return { status: 'failed', reason, message: written.message };
  }
  if (fromId === toId) return { status: 'moved' };
  const removed = await writer.write({ kind: 'delete', index, id: fromId });
  if (removed.ok || removed.code === 'not_found') return { status: 'moved' };
  const reason = removed.isDiskFull === true ? 'disk_full' : 'unavailable';
  return { status: 'failed', reason, message: removed.message };
}

/**
 * Whether the document was made of this file as it is now. Another file may have taken the old name, and its document may have
 * reached the index in the moment of a crash, before the catalog knew of it.
 */
function tellsOf(entry: Entry, { file }: DocumentSource): boolean {
  if (!isObject(file) || entry.modifiedMs === undefined) return false;
  const { last_modified: modified, filesize: size = entry.size } = file;
  return modified === toUtcInstant(entry.modifiedMs) && size === entry.size;
}

function relocated(source: DocumentSource, { entry, place }: DocumentMove): DocumentSource {
  const file = isObject(source['file']) ? source['file'] : {};
  const path = isObject(source['path']) ? source['path'] : {};
  const extension = extensionOf(place.filename);
  return {
    ...source,
    file: {
      ...file,
      filename: place.filename,
      ...(extension === undefined ? {} : { extension }),
      ...(place.url === undefined ? {} : { url: place.url }),
      ...(entry.modifiedMs === undefined ? {} : { last_modified: toUtcInstant(entry.modifiedMs) }),
    },
    path: {
      ...path,
      real: place.real,
      virtual: place.virtual,
      ...(place.root === undefined ? {} : { root: place.root }),
    },
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
