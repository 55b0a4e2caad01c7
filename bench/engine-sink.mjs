// A search engine that takes everything at once and keeps nothing, for bench-engine.mjs: what a crawl into it costs is the
// crawler's own work. It answers what the crawler asks at its start as an OpenSearch without any index would, and counts.
// A process of its own, which tells its address over IPC.
import { createServer } from 'node:http';

const LINE_END = 0x0a;
const LETTER_D = 0x64;
const SEARCH = { _scroll_id: 'none', _shards: { failed: 0 }, hits: { hits: [] } };
const missing = (type) => [404, { error: { type, reason: 'it is not there' }, status: 404 }];

const known = new Set();
let operations = 0;

const server = createServer((incoming, outgoing) => {
  const chunks = [];
  incoming.on('data', (chunk) => chunks.push(chunk));
  incoming.on('end', () => {
    const [status, body] = answer(incoming.method, incoming.url.split('?')[0], Buffer.concat(chunks));
    outgoing.writeHead(status, { 'content-type': 'application/json' });
    outgoing.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
});
server.listen(0, '127.0.0.1', () => process.send({ url: `http://127.0.0.1:${server.address().port}` }));
process.on('disconnect', () => process.exit());
process.on('message', () => {
  process.send({ operations });
  operations = 0;
  known.clear();
});

function answer(method, path, body) {
  if (path.endsWith('/_bulk')) return [200, bulk(body)];
  if (path === '/') return [200, { version: { number: '2.19.1', distribution: 'opensearch' } }];
  if (path.startsWith('/_search') || path.endsWith('/_search')) return [200, SEARCH];
  if (method === 'PUT') known.add(path);
  const [, first] = path.split('/');
  if (/^_(index|component)_template$/.test(first)) return known.has(path) ? [200, {}] : missing('not_found');
  if (!path.includes('/_settings/')) return [200, {}];
  if (!known.has(`/${first}`)) return missing('index_not_found_exception');
  return [200, { [first]: { settings: { index: { uuid: first } } } }];
}

/** An action that is not a delete has a document in the line after it. */
function bulk(body) {
  const items = [];
  for (let at = 0; at < body.length;) {
    const isDelete = body[at + 2] === LETTER_D;
    items.push(isDelete ? '{"delete":{"status":200}}' : '{"index":{"status":201}}');
    at = body.indexOf(LINE_END, at) + 1;
    if (!isDelete) at = body.indexOf(LINE_END, at) + 1;
  }
  operations += items.length;
  return `{"items":[${items.join(',')}]}`;
}
