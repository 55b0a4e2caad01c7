import type { ExtractionContent, OcrOptions } from '../../extraction.js';
import { bytesFrame, jsonFrame } from '../../frames/frames.js';
import { poolFrame, type PoolMessage, type SentDocument } from './messages.js';

/**
 * The messages of the broker, which opens documents for a sandbox process: the process gets their bytes and never a path. The
 * pool sends each group of documents in two frames. The broker keeps the one with the paths (`open`), and passes the other one
 * on as it is (`extract`).
 */

/** Kinds of frames from the pool to the broker, beside those that it passes on: `extract`, `drop` and `pages`. */
export const brokerFrame = { open: 32, content: 33 } as const;

/** Kinds of frames from the broker to the process, beside those that it passes on. */
export const feedFrame = { document: 48, unreadable: 49, ocrEngine: 50, ocrText: 51 } as const;

/** Kinds of frames of the channel on which the process asks the broker, and those of the answers on it. */
export const requestFrame = { bytes: 1, digest: 2, done: 3, findOcr: 4, recognise: 5, stopRecognition: 6 } as const;
export const replyFrame = { block: 16, end: 17, failed: 18 } as const;

/** File descriptors of the broker, after the three standard ones. */
export const brokerDescriptors = { fromPool: 3, toProcess: 4, requests: 5 } as const;
/** The descriptor on which a process asks the broker; another number than those of messages.ts. */
export const REQUESTS_DESCRIPTOR = 5;

/** Sent with every document; most text files are no larger. */
export const HEAD_BYTES = 64 * 1024;
/** As large as a part of a document may be. */
export const MOST_PICTURE_BYTES = 256 * 1024 * 1024;

/** Where the content is. A path that is not valid UTF-8 is sent as base64; bytes are sent in a frame of their own. */
export interface ContentToOpen {
  readonly path?: string;
  readonly encodedPath?: string;
}

export interface DocumentToOpen extends ContentToOpen {
  readonly id: number;
  readonly checksum: string | undefined;
  /** Index into the OCR options of the group. */
  readonly ocr: number;
}

export interface GroupToOpen {
  readonly ocr: readonly OcrOptions[];
  readonly documents: readonly DocumentToOpen[];
}

/** What the process gets of a group: nothing that names a path. */
export interface GroupToExtract {
  readonly ocr: readonly OcrOptions[];
  readonly documents: readonly DocumentToExtract[];
}

export interface DocumentToExtract {
  readonly id: number;
  readonly name: string;
  readonly options: Omit<SentDocument['request']['options'], 'ocr'>;
  readonly ocr: number;
}

/** Encodes a message of the pool for the broker. */
export function brokerMessageFrames(message: PoolMessage): readonly Uint8Array[] {
  switch (message.kind) {
    case 'extract':
      return groupFrames(message.documents);
    case 'drop':
      return [jsonFrame(poolFrame.drop, message.ids)];
    case 'pages':
      return [jsonFrame(poolFrame.pages, message.atOnce)];
  }
}

function groupFrames(documents: readonly SentDocument[]): readonly Uint8Array[] {
  const contents: Uint8Array[] = [];
  const all: OcrOptions[] = [];
  const toOpen: DocumentToOpen[] = [];
  const toExtract: DocumentToExtract[] = [];
  for (const { id, request } of documents) {
    const { name, content, options } = request;
    const { maxCharacters, detectLanguage, checksum, includeSource, passwords } = options;
    if (content.kind === 'bytes') contents.push(...bytesFrame(brokerFrame.content, content.bytes));
    if (!all.includes(options.ocr)) all.push(options.ocr);
    const ocr = all.indexOf(options.ocr);
    toOpen.push({ id, ...placeOf(content), checksum, ocr });
    toExtract.push({ id, name, options: { maxCharacters, detectLanguage, checksum, includeSource, passwords }, ocr });
  }
  const withoutPaths = all.map((each) => ({ ...each, path: undefined, dataPath: undefined }));
  return [
    ...contents,
    jsonFrame(poolFrame.extract, { ocr: withoutPaths, documents: toExtract } satisfies GroupToExtract),
    jsonFrame(brokerFrame.open, { ocr: all, documents: toOpen } satisfies GroupToOpen),
  ];
}

function placeOf(content: ExtractionContent): ContentToOpen {
  if (content.kind === 'bytes') return {};
  const { path } = content;
  return typeof path === 'string' ? { path } : { encodedPath: Buffer.from(path).toString('base64') };
}
