import { isUtf8 } from 'node:buffer';
import { detectByHead } from './detect/detect-type.js';
import type { Extraction, ExtractionRequest } from './extraction.js';
import type { DocumentLimits } from './limits.js';
import { findFormat } from './registry.js';
import { openDocument } from './runtime/sandbox/document-bytes.js';
import { extractDocument } from './runtime/sandbox/extract-document.js';
import { isTextName, isTextType } from './small-text-names.js';

/** Notes, messages, source code and settings are hardly ever larger; and whatever they hold, they are soon looked through. */
export const MOST_BYTES = 16 * 1024;

/** Bytes that could mean another encoding, which a library decodes. */
const NUL = 0;
const ESCAPE = 0x1b;
const SHIFT = '~{';
/** What begins so is markup, which a parser reads. */
const MARKUP = /^\ufeff?\s*</;
/** Enough to see what follows the white space; where that is longer, the detection decides. */
const MARKUP_BYTES = 256;

/**
 * Small plain texts, extracted where they are read: no parser and no decoder gets to see them but that of UTF-8, through which every
 * answer of a process goes as well. Everything that is not plain text in UTF-8 beyond doubt is for the processes, and so is what
 * cannot be read.
 */
export class SmallTexts {
  readonly #limits: DocumentLimits;

  constructor(limits: DocumentLimits) {
    this.#limits = limits;
  }

  /** By its name and size alone. */
  mayTake(name: string, bytes: number): boolean {
    return bytes <= MOST_BYTES && isTextName(name);
  }

  /** Exactly what a process would answer; undefined for what is for the processes. */
  async extract(request: ExtractionRequest): Promise<Extraction | undefined> {
    try {
      return await this.#extract(request);
    } catch {
      // The process that tries next says why: one file must not end the crawl.
      return undefined;
    }
  }

  async #extract({ name, content, options }: ExtractionRequest): Promise<Extraction | undefined> {
    const bytes = read(content);
    if (bytes === undefined || !isPlain(bytes)) return undefined;
    if (!isTextType(detectByHead(bytes, name))) return undefined;
    const extraction = await extractDocument(
      { name, options, content: { kind: 'bytes', bytes } },
      { limits: this.#limits, findFormat, flush: () => undefined },
    );
    return extraction.problem === undefined ? extraction : undefined;
  }
}

function read(content: ExtractionRequest['content']): Buffer | undefined {
  const document = openDocument(content);
  try {
    if (document.size > MOST_BYTES) return undefined;
    const { buffer, byteOffset, length } = document.first(document.size);
    return Buffer.from(buffer, byteOffset, length);
  } finally {
    document.close();
  }
}

function isPlain(bytes: Buffer): boolean {
  if (!isUtf8(bytes) || bytes.includes(NUL) || bytes.includes(ESCAPE) || bytes.includes(SHIFT)) return false;
  return !MARKUP.test(bytes.toString('utf8', 0, MARKUP_BYTES));
}
