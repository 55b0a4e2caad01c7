import { byteLimit, choice, durationOrNever, flag, listenUrl, tagField, text, verbatim } from '../setting-types.js';
import { listOf } from '../setting-type.js';
import { section, setting } from '../setting.js';

const fetch = section('Addresses that documents may be fetched from with `type: http`.', {
  allow: setting(listOf(text), {
    default: [],
    example: ['docs.example.com', '10.1.0.0/16'],
    meaning: 'Hosts and networks that are allowed although they would be denied by default.',
  }),
  deny: setting(listOf(text), {
    default: [],
    example: ['internal.example.com'],
    meaning: 'Hosts and networks that are denied, besides link-local and cloud metadata addresses.',
  }),
});

export const rest = section('The HTTP service of `--rest`.', {
  url: setting(listenUrl, {
    default: 'http://127.0.0.1:8080',
    meaning: 'Address to listen on. Its path is the prefix of every endpoint.',
  }),
  enableCors: setting(flag, { default: 'false', meaning: 'Allow pages of other sites to call the service.' }),
  apiKeys: setting(listOf(verbatim), {
    default: [],
    secret: true,
    example: ['your-key'],
    meaning: 'Keys of callers (bearer token, or password of basic authentication). Empty: anyone may call.',
  }),
  readKeys: setting(listOf(verbatim), {
    default: [],
    secret: true,
    example: ['a-key-of-readers'],
    meaning: 'Keys of callers who may search, and read documents and the status, and change nothing.',
  }),
  allowedHosts: setting(listOf(text), {
    default: [],
    example: ['search.example.com'],
    meaning: 'Host names under which browsers may reach the service, besides its own address.',
  }),
  maxUploadSize: setting(byteLimit, {
    example: '1gb',
    meaning: 'Largest upload, all of its documents together. Not set: no limit.',
  }),
  strictStatus: setting(flag, {
    default: 'false',
    meaning: 'Answer failures with 400, 404 or 502 instead of 200 and `"ok": false`.',
  }),
  legacy: setting(flag, {
    example: 'true',
    meaning:
      'For scripts of FSCrawler: the prefix `/fscrawler`, `POST /_upload`, and `elasticsearch` beside `engine` in the status. Not set: for a job that was one of FSCrawler.',
  }),
  ui: setting(choice(['on', 'search', 'off']), {
    default: 'on',
    meaning: 'Serve pages to browsers at `/ui/` (docs/web.md): `search` without the page of operators, `off` none.',
  }),
  facets: setting(listOf(tagField), {
    default: [],
    example: ['external.team'],
    meaning:
      'Tags of documents that the search counts and filters by (docs/search.md), besides type, folder and so on.',
  }),
  verifyRateMs: setting(durationOrNever, {
    default: '1d',
    meaning:
      'How often a service that crawls compares tree and index by itself (docs/trust.md), first after its first complete scan and always between two scans. -1: never.',
  }),
  mcp: setting(choice(['on', 'add', 'off']), {
    default: 'on',
    meaning:
      'Serve assistants at `POST /mcp` (docs/mcp.md): `on` lets them search and read, `add` also add documents, `off` nothing.',
  }),
  fetch,
});
