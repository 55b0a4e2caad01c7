import { flag } from './setting-types.js';
import { isRawList, type RawValue, type RawMap } from './raw-value.js';

/**
 * The nodes of FSCrawler 2: a list whose items hold a `url`, a `cloud_id` (2.5 on), or a `host` with `port` and `scheme`
 * (until 2.6), or are the address itself. The defaults are those of 2.x.
 */
export function nodeUrls(raw: RawValue | undefined): readonly string[] {
  if (raw === undefined) return [];
  return (isRawList(raw) ? raw : [raw]).map(nodeUrl);
}

function nodeUrl(node: RawValue): string {
  if (typeof node === 'string') return /^https?:/i.test(node) || node.includes('${') ? node : cloudUrl(node);
  const fields = isRawList(node) ? {} : plainKeys(node);
  if (fields['url'] !== undefined) return fields['url'];
  if (fields['cloudid'] !== undefined) return cloudUrl(fields['cloudid']);
  if (fields['host'] === undefined) {
    throw new RangeError('a node has neither url, cloud_id nor host. Write the addresses as engine.urls.');
  }
  return `${(fields['scheme'] ?? 'http').toLowerCase()}://${fields['host']}:${fields['port'] ?? '9200'}`;
}

/** A cloud id is `<label>:<base64 of host$cluster$…>`; the cluster answers at `https://<cluster>.<host>`. */
function cloudUrl(cloudId: string): string {
  const encoded = cloudId.slice(cloudId.indexOf(':') + 1);
  const [host, cluster] = Buffer.from(encoded, 'base64').toString('utf8').split('$');
  if (host === undefined || cluster === undefined || !/^[\w.:-]+$/.test(host)) {
    throw new RangeError(`[${cloudId}] is not a cloud id. Write the address of the cluster as engine.urls.`);
  }
  return `https://${cluster}.${host}`;
}

function plainKeys(map: RawMap): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {};
  for (const [key, value] of Object.entries(map)) {
    if (typeof value === 'string') fields[key.toLowerCase().replace(/[-_]/g, '')] = value;
  }
  return fields;
}

/** `rest.scheme` (never more than a promise: TLS was not served), `host`, `port` and `endpoint`, with the defaults of 2.x. */
export function composeRestUrl(values: ReadonlyMap<string, RawValue>): string {
  const host = single(values.get('rest.host')) ?? '127.0.0.1';
  const port = single(values.get('rest.port')) ?? '8080';
  const endpoint = single(values.get('rest.endpoint')) ?? 'fscrawler';
  return `http://${host}:${port}/${endpoint.replace(/^\/+|\/+$/g, '')}`;
}

export function pdfStrategy(raw: RawValue | undefined): string {
  return isTrue(raw) ? 'ocr_and_text' : 'no_ocr';
}

export function invertFlag(raw: RawValue | undefined): string {
  return isTrue(raw) ? 'false' : 'true';
}

function isTrue(raw: RawValue | undefined): boolean {
  return flag.parse(raw ?? 'false');
}

function single(raw: RawValue | undefined): string | undefined {
  return typeof raw === 'string' && raw !== '' ? raw : undefined;
}
