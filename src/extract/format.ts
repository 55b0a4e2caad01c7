import type { OcrOptions } from './extraction.js';
import type { RecognisedPage } from './recognised-page.js';

/**
 * What is known of a format before it is needed: `formats/<name>/format.ts` says it, and `registry.ts`, the media types and
 * docs/formats.md are made of it. The code that reads the format is loaded with the first document, so that a process starts
 * quickly and holds only the libraries that it needs.
 */
export interface Format {
  /** Reported as `tk:Parsed-By`. */
  readonly name: string;
  /** Exact types, all types that end in `+xml` (`*+xml`), or all below `text/` (`text/*`). */
  readonly mediaTypes: readonly string[];
  readonly needs: Needs;
  readonly facts: FormatFacts;
  load(): Promise<FormatExtractor>;
}

/**
 * How much of a large file a format can use:
 * `whole`  all bytes or none;
 * `text`   only as many as the wanted characters can take (and it is quick);
 * `stream` whatever is there, from the front;
 * `head`   the front is enough.
 */
export type Needs = 'whole' | 'text' | 'stream' | 'head';

/** What people want to know of a format before they rely on it: a section of docs/formats.md. */
export interface FormatFacts {
  readonly title: string;
  /** What reads it: `own` code, or packages. */
  readonly library: string;
  readonly reads: string;
  /** What there may be in such a file that nobody will find. */
  readonly omits: string;
}

/**
 * The code that reads a format: bytes in, text and metadata out, inside the sandbox process. It is a pure reader: no files, no
 * network, no timers; the process around it holds the limits.
 */
export interface FormatExtractor {
  /**
   * Throws a CrawlerError to end the document with a reason: `encrypted`, `corrupt`, `too_large`, `unsupported`. Whatever was
   * written before stays.
   */
  extract(input: FormatInput, context: FormatContext): Promise<void> | void;
}

export interface FormatInput {
  readonly name: string;
  /** The detected type, without parameters. */
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** How a format hands over what it finds. */
export interface FormatContext {
  /** Appends text. Once the character limit is reached it does nothing; look at `full` to stop early. */
  write(text: string): void;
  /** A page or slide begins: what is written next is on it. Only the document's own pages count, not those of its parts. */
  page(): void;
  readonly full: boolean;
  /** Adds a metadata value under Tika's key. Empty values are dropped; a Date becomes ISO 8601 UTC in seconds. */
  meta(key: string, value: string | number | boolean | Date | undefined): void;
  /** Replaces the values of a key. */
  setMeta(key: string, value: string): void;
  /** Overrides the content type (a charset found, a container recognised while reading). */
  contentType(type: string): void;
  /** Extracts a part inside the document into the same text, under all limits. Its name is written in front of its text. */
  embedded(part: EmbeddedPart): Promise<void>;
  /** Hands the whole document on as another format (decrypted, unpacked): that text and metadata become this document's. */
  continueAs(bytes: Uint8Array, mediaType?: string): Promise<void>;
  /** Passwords to try, best first. Empty when there are none. */
  readonly passwords: readonly string[];
  /** Something is missing, but the rest of the document is read. */
  warn(message: string): void;
  /** What a format may unpack before it must give up; throws `too_large` when it is used up. Count inflated bytes here. */
  countBytes(bytes: number): void;
  readonly options: { readonly ocr: OcrOptions };
  /** Text in pictures. */
  readonly ocr: TextRecognition;
}

/** Reads the text in pictures. What goes wrong becomes a warning of the document, never an error. */
export interface TextRecognition {
  /** False when it is switched off or not installed, or when the document has used up its time for it. */
  ready(): Promise<boolean>;
  /** How many pictures it reads at the same time, at this moment. To ask for more is to wait. */
  readonly atOnce: number;
  /** The text, empty when there is none, or undefined when it could not be had. */
  recognise(picture: Picture): Promise<string | undefined>;
}

export interface Picture {
  /** Begins the sentence of a warning: `Page 3`. */
  readonly title: string;
  /** Where the picture is a page of the document. */
  readonly page?: RecognisedPage;
  /** Called when its turn has come. Undefined: there is nothing to read after all. */
  readonly render: () => RenderedPicture | undefined;
}

export interface RenderedPicture {
  /** A picture file in any of the usual formats. */
  readonly bytes: Uint8Array;
  /** Pixels per inch, when the file does not say it. */
  readonly dpi?: number;
}

export interface EmbeddedPart {
  /** Path inside the container, as Tika prints it; empty when the part has none. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** When the container knows it better than detection would. */
  readonly mediaType?: string;
  /** Archives print the names of their entries; mail bodies and the like do not. Default true. */
  readonly printName?: boolean;
}
