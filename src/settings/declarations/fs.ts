import {
  byteLimit,
  characterLimit,
  choice,
  contentRegex,
  deleteGuard,
  digest,
  duration,
  flag,
  localPath,
  pathPattern,
  text,
} from '../setting-types.js';
import { listOf } from '../setting-type.js';
import { section, setting } from '../setting.js';
import { join } from 'node:path';
import { ocr } from './ocr.js';
import { providers, sourceSections } from './sources/index.js';

/** In the order in which the `--setup` file shows them. */
export const fs = section('What is crawled, and what is kept of it.', {
  url: setting(text, {
    default: '/tmp/es',
    mayBeEmpty: true,
    meaning:
      'Root folder: a path on this machine, or in the source that `fs.provider` names. A crawl requires it: the default only limits what a `local` fetch may read. Empty: no crawl.',
  }),
  updateRateMs: setting(duration, { default: '15m', meaning: 'Pause between two scans.' }),
  includes: setting(listOf(pathPattern), {
    default: [],
    example: ['*.doc', '*.xls'],
    meaning: 'Only files that match one of these patterns. Empty: all files.',
  }),
  excludes: setting(listOf(pathPattern), {
    default: ['*/~*'],
    meaning:
      'Files and folders that match one of these patterns are left out. Password files (`*.password`, `*/.password`) are always excluded.',
  }),
  filters: setting(listOf(contentRegex), {
    default: [],
    example: ['.*foo.*', '^4\\d{3}[ -]?\\d{4}'],
    meaning: 'Only documents in whose text every one of these regular expressions is found.',
  }),
  jsonSupport: setting(flag, { default: 'false', meaning: 'JSON files become the documents themselves.' }),
  addAsInnerObject: setting(flag, {
    default: 'false',
    meaning: 'With `json_support` or `xml_support`: put their content below `object` of an ordinary document.',
  }),
  xmlSupport: setting(flag, {
    default: 'false',
    meaning: 'XML files become the documents themselves, turned into JSON.',
  }),
  followSymlinks: setting(flag, { default: 'false', meaning: 'Follow symbolic links.' }),
  removeDeleted: setting(flag, {
    default: 'true',
    meaning: 'Remove documents from the index when their files are gone.',
  }),
  continueOnError: setting(flag, { default: 'false', meaning: 'Continue a scan after a file that cannot be read.' }),
  ignoreAboveBytes: setting(byteLimit, { example: '512mb', meaning: 'Skip files that are larger than this.' }),
  filenameAsId: setting(flag, {
    default: 'false',
    meaning: 'The document id is the file name instead of a hash of the path.',
  }),
  hashAlgorithm: setting(
    digest((given) => `Hash algorithm [${given}] not found. Disabling crawler`),
    {
      default: 'MD5',
      meaning: 'Digest of the document ids. Changing it changes every id; `--setup` writes SHA-256 for new jobs.',
    },
  ),
  indexContent: setting(flag, {
    default: 'true',
    meaning:
      'Extract text and metadata. Without it only name, path, size and dates are indexed, and the file itself with `store_source`.',
  }),
  addFilesize: setting(flag, { default: 'true', meaning: 'Write `file.filesize`.' }),
  attributesSupport: setting(flag, {
    default: 'false',
    meaning: 'Write owner, group and permissions (`attributes.*`).',
  }),
  aclSupport: setting(flag, {
    default: 'false',
    meaning: 'Write access control lists (`attributes.acl`); needs `attributes_support`.',
  }),
  langDetect: setting(flag, { default: 'false', meaning: 'Detect the language of the text (`meta.language`).' }),
  storeSource: setting(flag, {
    default: 'false',
    meaning: 'Store each file itself in the index, as base64 in `attachment`.',
  }),
  indexedChars: setting(characterLimit, {
    whenUnset: { kind: 'unset' },
    example: '10000.0',
    meaning:
      'How much text is kept: characters, a share of the file size, `-1` for all, `0` for none. Not set: 100,000 characters.',
  }),
  pageNumbers: setting(flag, {
    example: 'true',
    meaning:
      'Keep where pages begin (`pages`), so that a search shows the page of a hit. Not set: with the embedded index only.',
  }),
  rawMetadata: setting(flag, { default: 'false', meaning: 'Keep all metadata as they were found (`meta.raw`).' }),
  checksum: setting(
    digest((given) => `Algorithm [${given}] not found. Disabling crawler`),
    { example: 'MD5', meaning: 'Digest of the file for `file.checksum`; needs `index_content`.' },
  ),
  indexFolders: setting(flag, { default: 'true', meaning: 'Index the folders too, in an index of their own.' }),
  tikaConfigPath: setting(localPath, {
    example: '/path/to/tika-config.xml',
    meaning: 'Accepted for compatibility with FSCrawler, without effect: a Tika server has its own configuration.',
  }),
  tempDir: setting(localPath, {
    default: { of: (place) => join(place.configDir, place.job, 'tmp'), shown: '`<config_dir>/<job>/tmp`' },
    example: '/var/tmp/crawler',
    meaning: 'Folder for what does not fit into memory: large uploads, remote files.',
  }),
  provider: setting(
    choice(providers, {
      refusal: (given) =>
        given.toLowerCase() === 'http'
          ? `Provider [http] does not support directory crawling. Only ${providers.slice(0, -1).join(', ')}, and ${providers.at(-1) ?? ''} providers support crawling.`
          : `No FsProvider found for type [${given}].`,
    }),
    {
      default: '${server.protocol}',
      example: 'local',
      meaning: 'Where `fs.url` is: on this machine (`local`), or in another source (docs/sources).',
    },
  ),
  watch: setting(flag, { default: 'false', meaning: 'Index changes at once, besides the regular scans.' }),
  stabilityMs: setting(duration, {
    default: '2s',
    meaning: 'With `watch`: a file is read once its size and date have been the same for this long.',
  }),
  deleteGuard: setting(deleteGuard, {
    default: '50%',
    meaning:
      "A scan that would remove more than this waits for approval: a share of the job's documents (but never fewer than 1,000), or a number of documents.",
  }),
  ocr,
  ...sourceSections,
});
