import { localPath, text } from '../setting-types.js';
import { section, setting } from '../setting.js';

export const tags = section('Fields that you add to documents.', {
  metaFilename: setting(text, {
    default: '.meta.yml',
    mayBeEmpty: true,
    meaning: 'Name of the file that holds fields for the documents of its folder. Empty: there is none.',
  }),
  staticMetaFilename: setting(localPath, {
    example: '/path/to/metadata.yml',
    meaning: 'File that holds fields for every document.',
  }),
});
