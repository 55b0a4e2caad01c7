import { Socket } from 'node:net';
import type { CrawlerError } from '../../../base/errors.js';
import type { ExtractionContent, ExtractionRequest } from '../../extraction.js';
import type { FindOcrEngine } from '../../ocr/document-ocr.js';
import { descriptors } from '../channel/messages.js';
import type { DocumentBytes } from './document-bytes.js';

/** The content of a document, or the broker's access to it. */
export type SandboxContent =
  | ExtractionContent
  | { readonly kind: 'unreadable'; readonly error: CrawlerError }
  | {
      readonly kind: 'opened';
      readonly document: DocumentBytes;
      readonly findOcr: FindOcrEngine;
    };

export interface SandboxRequest extends Pick<ExtractionRequest, 'name' | 'options'> {
  readonly content: SandboxContent;
}

export interface SandboxDocument {
  readonly id: number;
  readonly request: SandboxRequest;
}

/** What a sandbox process receives. */
export type SandboxMessage =
  | { readonly kind: 'extract'; readonly documents: readonly SandboxDocument[] }
  /** `forgotten`: those that were announced, and that will not arrive any more. */
  | { readonly kind: 'drop'; readonly ids: readonly number[]; readonly forgotten?: readonly number[] }
  | { readonly kind: 'pages'; readonly atOnce: number };

/** Decodes what arrives. */
export interface SandboxMessageReader {
  read(chunk: Buffer, take: (message: SandboxMessage) => void): void;
}

export interface InputListener {
  onMessage(message: SandboxMessage): void;
  /** The other side has closed the channel or has ended. */
  onEnd(): void;
}

/** Listens to the pool, or to the broker. */
export function listen(reader: SandboxMessageReader, listener: InputListener): void {
  const input = new Socket({ fd: descriptors.input, readable: true, writable: false });
  input.on('data', (chunk: Buffer) => reader.read(chunk, (message) => listener.onMessage(message)));
  input.on('error', () => listener.onEnd());
  input.on('close', () => listener.onEnd());
}
