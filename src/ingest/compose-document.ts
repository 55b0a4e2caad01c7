import type { Extraction } from '../extract/index.js';
import type { CrawlDocument, DocumentFile, DocumentPath } from '../model/document.js';
import type { Attributes, Entry } from '../model/entry.js';
import { toLocalDateTime, toUtcInstant } from '../model/dates.js';
import { extensionOf } from '../base/path.js';
import type { DocumentLocation } from './ingest.js';
import type { MappedMeta } from './meta-fields.js';

/** Everything a document is made of. Pure: the same input gives the same document. */
export interface DocumentParts {
  readonly entry: Entry;
  readonly place: DocumentLocation;
  /** Undefined when fs.index_content is off. */
  readonly extraction: Extraction | undefined;
  readonly meta: MappedMeta['meta'];
  readonly attributes: Attributes | undefined;
  /** Character limit to show, or undefined when the job sets none. */
  readonly shownLimit: number | undefined;
  readonly addFilesize: boolean;
  /** Where pages begin is kept (fs.page_numbers). */
  readonly withPages: boolean;
  /** Times of the file belong into the document (crawls). */
  readonly withTimes: boolean;
  readonly nowMs: number;
}

export function composeDocument(input: DocumentParts): CrawlDocument {
  const { extraction, attributes } = input;
  return {
    ...(extraction === undefined || extraction.text === '' ? {} : { content: extraction.text }),
    ...pagesOf(input),
    ...(extraction?.source === undefined ? {} : { attachment: extraction.source }),
    meta: input.meta,
    file: fileOf(input),
    path: pathOf(input.place),
    ...(attributes === undefined ? {} : { attributes }),
  };
}

/** One page says nothing. */
function pagesOf({ extraction, withPages }: DocumentParts): Pick<CrawlDocument, 'pages'> {
  const pages = extraction?.pages ?? [];
  return withPages && pages.length > 1 && extraction?.text !== '' ? { pages } : {};
}

function fileOf({ entry, place, extraction, shownLimit, addFilesize, withTimes, nowMs }: DocumentParts): DocumentFile {
  const size = extraction === undefined || extraction.size < 0 ? entry.size : extraction.size;
  return withoutUndefined({
    extension: extensionOf(place.filename),
    filename: place.filename,
    filesize: addFilesize && size >= 0 ? size : undefined,
    content_type: extraction?.contentType,
    checksum: extraction?.checksum,
    indexed_chars: shownLimit,
    indexing_date: toLocalDateTime(nowMs),
    created: withTimes ? instant(entry.createdMs) : undefined,
    last_modified: withTimes ? instant(entry.modifiedMs) : undefined,
    last_accessed: withTimes ? instant(entry.accessedMs) : undefined,
    problem: extraction?.problem?.reason,
    url: place.url,
  });
}

function pathOf(place: DocumentLocation): DocumentPath {
  return withoutUndefined({ real: place.real, root: place.root, virtual: place.virtual });
}

function instant(epochMs: number | undefined): string | undefined {
  return epochMs === undefined || epochMs <= 0 ? undefined : toUtcInstant(epochMs);
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function withoutUndefined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Defined<T>;
}
