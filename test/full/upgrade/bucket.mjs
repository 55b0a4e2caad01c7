import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';

/**
 * A bucket with a few documents that are the same on every machine and at all times: no inode, always the same date. So a
 * catalog and an index that were made long ago still fit it.
 */
const OBJECTS = {
  'reports/2024/annual.txt': 'The annual report of the harbour: forty ships, and one lighthouse.',
  'reports/2025/annual.txt': 'The annual report of the harbour: fifty ships, and one lighthouse.',
  'mail/lens.eml': 'Subject: The new lens\r\nFrom: keeper@example.com\r\n\r\nThe new lens is ready.\r\n',
  'lists/stations.csv': 'name,height\nGannet Point,41\n',
  'empty.bin': '\0\0\0',
};
const DATE = 'Sat, 02 Mar 2024 10:20:30 GMT';

/** Starts the bucket; `objectsRead` names what was asked for beside lists. */
export async function startBucket() {
  const objectsRead = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url, 'http://bucket');
    const key = decodeURIComponent(url.pathname.split('/').slice(2).join('/'));
    if (key === '') return response.setHeader('content-type', 'application/xml').end(listing(url.searchParams));
    const content = OBJECTS[key];
    if (content === undefined) return response.writeHead(404).end();
    objectsRead.push(`${request.method} ${key}`);
    response.writeHead(200, { 'content-length': content.length, etag: etagOf(content), 'last-modified': DATE });
    response.end(request.method === 'HEAD' ? undefined : content);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const settings = `fs:
  provider: s3
  url: /
  hash_algorithm: SHA-256
  s3:
    endpoint: http://127.0.0.1:${server.address().port}
    bucket: harbour
    path_style: true
  ocr:
    enabled: false
`;
  return { settings, objectsRead, stop: () => server.close() };
}

function listing(query) {
  const prefix = query.get('prefix') ?? '';
  const below = Object.keys(OBJECTS).filter((key) => key.startsWith(prefix));
  const folders = new Set();
  const files = [];
  for (const key of below) {
    const end = key.indexOf('/', prefix.length);
    if (end >= 0 && query.get('delimiter') === '/') folders.add(key.slice(0, end + 1));
    else files.push(key);
  }
  const date = new Date(DATE).toISOString();
  const contents = files.map((key) => {
    const content = OBJECTS[key];
    const etag = etagOf(content).replaceAll('"', '&quot;');
    return `<Contents><Key>${key}</Key><LastModified>${date}</LastModified><ETag>${etag}</ETag><Size>${content.length}</Size></Contents>`;
  });
  const prefixes = [...folders].map((each) => `<CommonPrefixes><Prefix>${each}</Prefix></CommonPrefixes>`);
  return `<?xml version="1.0"?><ListBucketResult><IsTruncated>false</IsTruncated>${contents.join('')}${prefixes.join('')}</ListBucketResult>`;
}

function etagOf(content) {
  return `"${createHash('md5').update(content).digest('hex')}"`;
}
