import { CrawlerError } from '../../../base/errors.js';
import type { ExtractionContent, ExtractionOptions, OcrOptions } from '../../extraction.js';
import { bytesFrame, FrameReader, jsonFrame } from '../../frames/frames.js';
import { poolFrame, type PoolMessage, type SentDocument } from './messages.js';

/** Where the content is. A path that is not valid UTF-8 is sent as base64; bytes are sent in a frame of their own. */
type ContentReference =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'encoded_path' | 'frame'; readonly path?: string };

interface DocumentReference {
  readonly id: number;
  readonly name: string;
  readonly content: ContentReference;
  readonly options: Omit<ExtractionOptions, 'ocr'>;
  /** Index into the OCR options of the group: most documents share them. */
  readonly ocr: number;
}

interface DocumentGroup {
  readonly ocr: readonly OcrOptions[];
  readonly documents: readonly DocumentReference[];
}

/** Encodes a message of the pool. */
export function poolMessageFrames(message: PoolMessage): readonly Uint8Array[] {
  switch (message.kind) {
    case 'extract':
      return extractFrames(message.documents);
    case 'drop':
      return [jsonFrame(poolFrame.drop, message.ids)];
    case 'pages':
      return [jsonFrame(poolFrame.pages, message.atOnce)];
  }
}

function extractFrames(documents: readonly SentDocument[]): readonly Uint8Array[] {
  const frames: Uint8Array[] = [];
  const ocr: OcrOptions[] = [];
  const references = documents.map(({ id, request }): DocumentReference => {
    const { name, content, options } = request;
    if (content.kind === 'bytes') frames.push(...bytesFrame(poolFrame.content, content.bytes));
    if (!ocr.includes(options.ocr)) ocr.push(options.ocr);
    return {
      id,
      name,
      content: contentReference(content),
      options: withoutOcr(options),
      ocr: ocr.indexOf(options.ocr),
    };
  });
  frames.push(jsonFrame(poolFrame.extract, { ocr, documents: references } satisfies DocumentGroup));
  return frames;
}

function withoutOcr({
  maxCharacters,
  detectLanguage,
  checksum,
  includeSource,
  passwords,
}: ExtractionOptions): DocumentReference['options'] {
  return { maxCharacters, detectLanguage, checksum, includeSource, passwords };
}

function contentReference(content: ExtractionContent): ContentReference {
  if (content.kind === 'bytes') return { kind: 'frame' };
  const { path } = content;
  if (typeof path === 'string') return { kind: 'path', path };
  return { kind: 'encoded_path', path: Buffer.from(path).toString('base64') };
}

/** Decodes the messages of the pool. The pool is trusted, so they are not checked. */
export class PoolMessageReader {
  readonly #frames = new FrameReader(() => Number.POSITIVE_INFINITY);
  #contents: Uint8Array[] = [];

  read(chunk: Buffer, take: (message: PoolMessage) => void): void {
    this.#frames.add(chunk);
    for (let frame = this.#frames.next(); frame !== undefined; frame = this.#frames.next()) {
      if (frame.kind === poolFrame.content) this.#contents.push(frame.bytes);
      else take(this.#messageOf(frame.kind, JSON.parse(frame.bytes.toString())));
    }
  }

  #messageOf(kind: number, value: unknown): PoolMessage {
    if (kind === poolFrame.drop) return { kind: 'drop', ids: value as readonly number[] };
    if (kind === poolFrame.pages) return { kind: 'pages', atOnce: value as number };
    const { ocr, documents } = value as DocumentGroup;
    return { kind: 'extract', documents: documents.map((document) => this.#documentOf(document, ocr)) };
  }

  #documentOf({ id, name, content, options, ocr: index }: DocumentReference, all: readonly OcrOptions[]): SentDocument {
    const ocr = all[index];
    if (ocr === undefined) throw new CrawlerError('internal', 'A document arrived without its OCR options.');
    return { id, request: { name, content: this.#contentOf(content), options: { ocr, ...options } } };
  }

  #contentOf({ kind, path = '' }: ContentReference): ExtractionContent {
    if (kind === 'frame') return { kind: 'bytes', bytes: this.#contents.shift() ?? new Uint8Array() };
    return { kind: 'path', path: kind === 'path' ? path : Buffer.from(path, 'base64') };
  }
}
