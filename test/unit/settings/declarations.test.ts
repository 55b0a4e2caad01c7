import { describe, expect, test } from '@jest/globals';
import type { OcrOptions } from '../../../src/extract/extraction.js';
import type { JobSettings } from '../../../src/settings/job-settings.js';
import type { Provider } from '../../../src/settings/declarations/sources/index.js';
import { sectionRows, settingRows } from '../../../src/settings/setting-table.js';

/** All that job directories of FSCrawler 3 may hold. */
const KNOWN_TO_USERS = `
name
fs.provider fs.url fs.update_rate fs.includes fs.excludes fs.filters fs.json_support fs.xml_support fs.add_as_inner_object
fs.index_folders fs.attributes_support fs.acl_support fs.raw_metadata fs.filename_as_id fs.hash_algorithm fs.add_filesize
fs.remove_deleted fs.store_source fs.index_content fs.indexed_chars fs.ignore_above fs.lang_detect fs.continue_on_error
fs.follow_symlinks fs.checksum fs.temp_dir fs.tika_config_path
fs.ocr.enabled fs.ocr.language fs.ocr.path fs.ocr.data_path fs.ocr.output_type fs.ocr.pdf_strategy fs.ocr.page_seg_mode
fs.ocr.preserve_interword_spacing
tags.meta_filename tags.static_meta_filename
server.hostname server.port server.username server.password server.protocol server.pem_path
passwords.provider passwords.providers.static.value passwords.providers.static.values passwords.providers.disk.url
passwords.providers.chained.providers
engine.urls engine.index engine.index_folder engine.bulk_size engine.bulk_operation engine.flush_interval engine.byte_size
engine.api_key engine.username engine.password engine.ca_certificate engine.ssl_verification engine.pipeline
engine.path_prefix engine.push_templates engine.force_push_templates engine.semantic_search
rest.url rest.enable_cors
`;

describe('the table of settings', () => {
  test('holds everything that users know', () => {
    const paths = settingRows.map((row) => row.path);
    const missing = KNOWN_TO_USERS.trim()
      .split(/\s+/)
      .filter((path) => !paths.includes(path));
    expect(missing).toEqual([]);
  });

  test('has no two settings that the environment could not tell apart', () => {
    const variables = settingRows.map((row) => row.environment.replaceAll('_', ''));
    expect(new Set(variables).size).toBe(variables.length);
  });

  test('speaks in whole sentences', () => {
    const texts = [...settingRows, ...sectionRows].map(({ declared }) =>
      declared.kind === 'setting' ? declared.meaning : declared.about,
    );
    expect(texts.filter((text) => !/^[A-Z`-].*[.…]$/.test(text))).toEqual([]);
  });

  test('gives every setting a type that the rest of the program can rely on', () => {
    const typed = (settings: JobSettings) => {
      const ocr: OcrOptions = settings.fs.ocr;
      const indexedChars:
        | { readonly kind: 'unset' }
        | { readonly kind: 'absolute'; readonly characters: number }
        | { readonly kind: 'percent'; readonly percent: number } = settings.fs.indexedChars;
      const numbers: readonly number[] = [
        settings.fs.updateRateMs,
        settings.engine.flushIntervalMs,
        settings.engine.byteSize,
        settings.extractor.limits.timeMs,
      ];
      const limit: number | undefined = settings.fs.ignoreAboveBytes;
      const urls: readonly string[] = settings.engine.urls;
      const operation: 'index' | 'create' = settings.engine.bulkOperation;
      const provider: Provider = settings.fs.provider;
      return { ocr, indexedChars, numbers, limit, urls, operation, provider };
    };
    expect(typed).toBeInstanceOf(Function);
  });
});
