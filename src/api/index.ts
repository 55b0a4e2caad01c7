/**
 * The crawler as a library (docs/library.md). It never writes to the console, installs no signal handlers, does not end or
 * move the process, and reads no variables `CRAWLER_…`.
 */
export { CrawlerError } from '../base/errors.js';
export { crawl } from './crawl.js';
export { extract, openExtractor } from './extract.js';
export { openIndex } from './open-index.js';
export type {
  Crawl,
  CrawlOptions,
  CrawlStatus,
  CrawlSummary,
  DocumentEvent,
  DocumentSource,
  ErrorCode,
  ExtractedMember,
  ExtractInput,
  Extraction,
  ExtractLimits,
  ExtractOptions,
  Extractor,
  ExtractorOptions,
  IndexedDocument,
  JobOptions,
  Logger,
  Metadata,
  OcrOptions,
  Problem,
  Reason,
  SearchBody,
  SearchHit,
  SearchIndex,
  SearchOptions,
  SearchResult,
  Settings,
} from './types.js';
