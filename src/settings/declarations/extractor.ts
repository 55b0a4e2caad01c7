import { byteSize, choice, count, duration, integer, startTimeout, url } from '../setting-types.js';
import { section, setting } from '../setting.js';

const limits = section('Limits for one document. Beyond them, it is indexed with what was extracted until then.', {
  timeMs: setting(duration, { default: '1m', meaning: 'Time for one document.' }),
  memoryBytes: setting(byteSize, { default: '1gb', meaning: 'Memory of an extraction process.' }),
  textBytes: setting(byteSize, { default: '50mb', meaning: 'Text of one document, a character counted as a byte.' }),
  unpackedBytes: setting(byteSize, { default: '512mb', meaning: 'Everything that is unpacked from one document.' }),
  ratio: setting(count, {
    default: '200',
    meaning: 'How many times its own size a document may unpack to, from 32 MB on.',
  }),
  members: setting(count, { default: '2000', meaning: 'Parts inside one document: archive entries, attachments.' }),
  depth: setting(integer(0, 64), { default: '8', meaning: 'Nesting depth of documents inside documents.' }),
});

export const extractor = section('How text and metadata are extracted from documents.', {
  provider: setting(choice(['embedded', 'tika', 'auto']), {
    default: 'embedded',
    meaning: 'Built in, a Tika server for everything, or a Tika server for what is not built in (`auto`).',
  }),
  processes: setting(count, {
    example: '4',
    meaning: 'Extraction processes. Not set: one for each core.',
  }),
  sandbox: setting(choice(['strict', 'best', 'off']), {
    default: 'best',
    meaning:
      'How the processes that read documents are kept from files, programs and the network: as this system offers it (`best`), fully or the job does not start (`strict`), or not at all (`off`). [security.md](security.md) explains it.',
  }),
  sandboxDocuments: setting(integer(0, 50_000), {
    default: '0',
    meaning:
      'Documents after which the process that reads them is replaced: one that a document has taken over sees those that follow. `1`: a new process, some 0.2s, for each. `0`: when it has read 50,000.',
  }),
  tika: section('A Tika server.', {
    url: setting(url, { example: 'http://127.0.0.1:9998', meaning: 'Address of the server.' }),
    concurrency: setting(count, {
      example: '4',
      meaning: 'Documents that the server processes at the same time. Not set: as many as `extractor.processes`.',
    }),
    timeoutMs: setting(duration, { default: '5m', meaning: 'Time for one document.' }),
    retries: setting(integer(1, 100), {
      default: '5',
      meaning: 'How often a server that is unavailable is tried again, at intervals of 500ms, 1s, 2s … 8s.',
    }),
    startTimeoutMs: setting(startTimeout, {
      default: '1m',
      meaning: 'How long to wait for the server at start; `-1`: without limit.',
    }),
  }),
  limits,
});
