import { byteSize, choice, count, duration, integer, url } from '../grammars.js';
import { section, setting } from '../setting.js';

const limits = section('What one document may cost. Beyond it, the document is indexed with what there is by then.', {
  timeMs: setting(duration, { default: '1m', meaning: 'Time for one document.' }),
  memoryBytes: setting(byteSize, { default: '1gb', meaning: 'Memory of an extraction process.' }),
  textBytes: setting(byteSize, { default: '256mb', meaning: 'Text of one document.' }),
  unpackedBytes: setting(byteSize, { default: '512mb', meaning: 'Everything unpacked out of one document.' }),
  members: setting(count, { default: '2000', meaning: 'Parts inside one document: archive entries, attachments.' }),
  depth: setting(integer(0, 64), { default: '8', meaning: 'Documents inside documents inside …' }),
});

export const extractor = section('How text and metadata are taken out of documents.', {
  provider: setting(choice(['embedded', 'tika', 'auto']), {
    default: 'embedded',
    meaning: 'Built in, a Tika server for everything, or a Tika server for what is not built in (`auto`).',
  }),
  processes: setting(count, {
    example: '4',
    meaning: 'Extraction processes. Not set: one for each core.',
  }),
  tika: section('A Tika server.', {
    url: setting(url, { example: 'http://127.0.0.1:9998', meaning: 'Address of the server.' }),
  }),
  limits,
});
