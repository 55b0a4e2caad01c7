import { indexOfJob } from '../../model/index-names.js';
import {
  byteSize,
  choice,
  count,
  duration,
  flag,
  localPath,
  startTimeout,
  text,
  url,
  verbatim,
} from '../setting-types.js';
import { listOf } from '../setting-type.js';
import { section, setting } from '../setting.js';

export const engine = section('The search index. Also accepted under the name `elasticsearch`.', {
  urls: setting(listOf(url), {
    default: [],
    example: ['https://127.0.0.1:9200', 'https://127.0.0.1:9201'],
    meaning: 'Nodes of an Elasticsearch or OpenSearch cluster. Empty: the embedded index, which needs no server.',
  }),
  provider: setting(choice(['auto', 'embedded', 'elasticsearch']), {
    default: 'auto',
    meaning:
      'Which engine keeps the index. `auto`: the cluster when `engine.urls` names one, else the embedded index. `elasticsearch` also means OpenSearch.',
  }),
  index: setting(text, {
    default: { ofJob: (name) => indexOfJob(name, '_docs'), shown: '`${name}_docs`' },
    example: 'my_docs',
    meaning:
      'Index (or alias) of the documents. A job whose name cannot be that of an index gets one that is made of it.',
  }),
  indexFolder: setting(text, {
    default: { ofJob: (name) => indexOfJob(name, '_folder'), shown: '`${name}_folder`' },
    example: 'my_folders',
    meaning: 'Index of the folders.',
  }),
  bulkSize: setting(count, { default: '100', meaning: 'Operations sent together.' }),
  bulkOperation: setting(
    choice(['index', 'create'], {
      printUpperCase: true,
      refusal: (given) =>
        given.toLowerCase() === 'delete'
          ? 'elasticsearch.bulk_operation [DELETE] is not supported for document writes. Please use INDEX or CREATE. Disabling crawler'
          : `[${given}] is not a bulk operation.`,
    }),
    { default: 'index', meaning: '`create` keeps a document that is in the index already, `index` replaces it.' },
  ),
  flushIntervalMs: setting(duration, { default: '5s', meaning: 'Longest wait before operations are sent.' }),
  byteSize: setting(byteSize, { default: '10mb', meaning: 'Bytes sent together; 0 or -1 for no limit.' }),
  apiKey: setting(verbatim, { secret: true, example: 'YOUR_API_KEY', meaning: 'Encoded API key of the cluster.' }),
  username: setting(text, { example: 'elastic', meaning: 'User of the cluster; an API key is better.' }),
  password: setting(verbatim, { secret: true, example: 'your-password', meaning: 'Password of that user.' }),
  caCertificate: setting(localPath, {
    example: '/path/to/ca.crt',
    meaning: 'Certificate of the authority that signed those of the cluster.',
  }),
  sslVerification: setting(flag, {
    default: 'true',
    meaning: 'Check the certificates of the cluster. Without it, anyone can impersonate the cluster.',
  }),
  pipeline: setting(text, { example: 'my_pipeline', meaning: 'Ingest pipeline for the documents.' }),
  pathPrefix: setting(text, { example: '/search', meaning: 'Path prefix of every request, for a proxy.' }),
  pushTemplates: setting(flag, { default: 'true', meaning: 'Create index and component templates at start.' }),
  forcePushTemplates: setting(flag, { default: 'false', meaning: 'Overwrite templates that exist.' }),
  semanticSearch: setting(flag, {
    default: 'true',
    meaning: 'Index the text for semantic search where server and licence allow it.',
  }),
  searchTimeoutMs: setting(duration, {
    default: '30s',
    meaning: 'How long one search of the embedded index may take; then it is stopped.',
  }),
  startTimeoutMs: setting(startTimeout, {
    default: '1m',
    meaning: 'How long to wait for the cluster at start; `-1`: without limit.',
  }),
});
