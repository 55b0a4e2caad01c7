import { composeRestUrl, invertFlag, nodeUrls, pdfStrategy } from './old-values.js';
import type { RawValue } from './raw-value.js';

/** What a layer gave for the paths of an old key. */
type OldValues = ReadonlyMap<string, RawValue>;
type NewValues = Readonly<Record<string, RawValue>>;

/** A key that some release of FSCrawler has known and that is no setting here. It is never an error. */
export interface OldKey {
  readonly paths: readonly string[];
  /** Everything below the path belongs to it. */
  readonly wholeSection?: true;
  /** The rest of the sentence that begins with the key. */
  readonly note: string;
  /** The settings that say the same today; without it the key is ignored. Throws a RangeError. */
  readonly convert?: (values: OldValues) => NewValues;
}

/** FSCrawler 2.0 to 3.0, in the order in which docs/settings.md shows them. */
export const oldKeys: readonly OldKey[] = [
  {
    paths: ['elasticsearch.nodes'],
    note: 'has been removed in favor of engine.urls: its addresses are used',
    convert: (values) => ({ 'engine.urls': nodeUrls(values.get('elasticsearch.nodes')) }),
  },
  {
    paths: ['elasticsearch.type'],
    note: 'is ignored: documents have no types any more',
  },
  {
    paths: ['elasticsearch.access_token'],
    note: 'is ignored: give an API key as engine.api_key',
  },
  {
    paths: ['rest.scheme', 'rest.host', 'rest.port', 'rest.endpoint'],
    note: 'has been removed in favor of rest.url, which is put together from it',
    convert: (values) => ({ 'rest.url': composeRestUrl(values) }),
  },
  {
    paths: ['rest.enabled'],
    note: 'is ignored: the service is started with --rest',
  },
  {
    paths: ['fs.pdf_ocr'],
    note: 'has been replaced by fs.ocr.pdf_strategy, which is set from it',
    convert: (values) => ({ 'fs.ocr.pdf_strategy': pdfStrategy(values.get('fs.pdf_ocr')) }),
  },
  {
    paths: ['fs.ignore_folders'],
    note: 'has been replaced by fs.index_folders, which is set to its opposite',
    convert: (values) => ({ 'fs.index_folders': invertFlag(values.get('fs.ignore_folders')) }),
  },
  {
    paths: ['fs.follow_symlink'],
    note: 'was a misprint of fs.follow_symlinks, which is set from it',
    convert: (values) => ({ 'fs.follow_symlinks': values.get('fs.follow_symlink') ?? 'false' }),
  },
  {
    paths: ['fs.base64'],
    note: 'was another name of fs.store_source, which is set from it',
    convert: (values) => ({ 'fs.store_source': values.get('fs.base64') ?? 'false' }),
  },
  {
    paths: ['provider'],
    note: 'belongs into the section fs: fs.provider is set from it',
    convert: (values) => ({ 'fs.provider': values.get('provider') ?? 'local' }),
  },
  {
    paths: ['workplace_search'],
    wholeSection: true,
    note: 'is ignored: Workplace Search has been discontinued, documents go to the engine',
  },
];
