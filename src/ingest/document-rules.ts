import { createHash } from 'node:crypto';
import { digestName, sign } from '../base/digest.js';
import type { ExtractionOptions, OcrOptions } from '../extract/index.js';
import { sourceSections } from '../settings/declarations/sources/index.js';
import type { JobSettings } from '../settings/job-settings.js';
import { ContentFilter } from './filter/content-filter.js';

/** A file whose tags go over documents (parse-tags.ts); its text is part of what shapes them. */
export interface MetadataFile {
  readonly name: string;
  readonly text: string;
}

const DEFAULT_CHARACTERS = 100_000;

/**
 * The sections of the sources shape no document: neither a key that is renewed nor a source that a release adds may have
 * every file read again.
 */
const WHERE_BYTES_COME_FROM = Object.fromEntries(Object.keys(sourceSections).map((name) => [name, undefined]));

/**
 * The settings of a job as the ingester needs them: compiled once, asked for every document.
 */
export class DocumentRules {
  readonly settings: JobSettings;
  readonly filter: ContentFilter;
  readonly staticMetadata: MetadataFile | undefined;

  constructor(settings: JobSettings, staticMetadata: MetadataFile | undefined) {
    this.settings = settings;
    this.filter = new ContentFilter(settings.fs.filters);
    this.staticMetadata = staticMetadata;
  }

  get structured(): 'json' | 'xml' | undefined {
    if (this.settings.fs.jsonSupport) return 'json';
    return this.settings.fs.xmlSupport ? 'xml' : undefined;
  }

  /** Characters to keep of a file of this size. */
  characterLimit(size: number): number {
    const limit = this.settings.fs.indexedChars;
    if (limit.kind === 'unset') return DEFAULT_CHARACTERS;
    if (limit.kind === 'absolute') return limit.characters < 0 ? -1 : Math.trunc(limit.characters);
    return Math.round((Math.max(0, size) * limit.percent) / 100);
  }

  /** The limit as the document shows it: when the job sets one, and whenever it cut the text. */
  shownLimit(size: number, truncated: boolean): number | undefined {
    const limit = this.characterLimit(size);
    if (limit < 0) return undefined;
    return truncated || this.settings.fs.indexedChars.kind !== 'unset' ? limit : undefined;
  }

  extractionOptions(size: number, passwords: readonly string[]): ExtractionOptions {
    const { fs } = this.settings;
    return {
      maxCharacters: this.characterLimit(size),
      detectLanguage: fs.langDetect,
      checksum: fs.checksum === undefined ? undefined : digestName(fs.checksum),
      includeSource: fs.storeSource,
      passwords,
      ocr: fs.ocr,
    };
  }

  /** Id of an upload or fetch by its file name. */
  idOfName(filename: string): string {
    return this.idOf(filename, filename);
  }

  /** Id of a crawled file: the hash of its full path (see base/path.ts, idSource), or its bare name. */
  idOf(source: string, filename: string): string {
    return this.settings.fs.filenameAsId ? filename : sign(this.settings.fs.hashAlgorithm, source);
  }

  /**
   * Hash of everything but the file itself that shapes its document, as a safe integer above 0. When it differs from the
   * one that a catalog record was made under, the file is indexed again.
   */
  fingerprint(extractorVersion: string, folderMetadata: MetadataFile | undefined): number {
    const { fs, engine } = this.settings;
    const shaping = {
      ...fs,
      ...WHERE_BYTES_COME_FROM,
      url: undefined,
      updateRateMs: undefined,
      includes: undefined,
      excludes: undefined,
      ignoreAboveBytes: undefined,
      continueOnError: undefined,
      removeDeleted: undefined,
      indexFolders: undefined,
      followSymlinks: undefined,
      tempDir: undefined,
      watch: undefined,
      stabilityMs: undefined,
      deleteGuard: undefined,
      // When it is off, how it would work shapes nothing; nor do its limits and where its program lies.
      ocr: fs.ocr.enabled ? recognitionOf(fs.ocr) : undefined,
    };
    const text = JSON.stringify([extractorVersion, shaping, engine.pipeline, this.staticMetadata, folderMetadata]);
    return createHash('sha256').update(text).digest().readUIntBE(0, 6) + 1;
  }
}

/** What decides which text is recognised. */
function recognitionOf({
  language,
  outputType,
  pdfStrategy,
  pageSegMode,
  preserveInterwordSpacing,
}: OcrOptions): object {
  return { language, outputType, pdfStrategy, pageSegMode, preserveInterwordSpacing };
}
