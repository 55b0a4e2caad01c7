import { Readable } from 'node:stream';
import type { StoredDocument } from '../../engine/engine.js';
import { refuse, type OpenOriginal, type OriginalRefusal } from '../../operations/original/originals.js';
import type { DocumentView } from '../../search/document-view.js';
import type { RestContext } from '../rest-options.js';

/** The file of a document: that of the tree, or the bytes that the index keeps (fs.store_source). */
export async function openDocument(
  { originals }: RestContext,
  { id, source }: StoredDocument,
  { origin, path, modified }: DocumentView,
  signal: AbortSignal,
): Promise<OpenOriginal | OriginalRefusal> {
  if (origin === 'crawl' && path !== null) {
    return originals === undefined ? refuse('outside') : await originals.open({ id, path }, signal);
  }
  const { attachment } = source;
  if (typeof attachment !== 'string') return refuse('upload');
  const bytes = Buffer.from(attachment, 'base64');
  return {
    kind: 'open',
    size: bytes.length,
    modifiedMs: Date.parse(modified ?? '') || 0,
    read: (start, end) => Promise.resolve(Readable.from([bytes.subarray(start, end + 1)])),
    close: () => Promise.resolve(),
  };
}
