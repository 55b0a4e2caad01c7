import { CrawlerError } from '../../base/errors.js';
import { at, isRecord, numberAt, textAt } from './json.js';

/** What stands behind the URLs, from the answer to `GET /`. */
export interface ServerInfo {
  readonly kind: 'elasticsearch' | 'opensearch' | 'serverless';
  /** For people: `8.15.3`, `opensearch-2.19.1`, `serverless`. */
  readonly label: string;
  readonly major: number;
  readonly minor: number;
}

/**
 * OpenSearch names itself in `version.distribution`; with `compatibility.override_main_response_version` it claims to be
 * Elasticsearch 7.10.2, and only the tagline tells.
 */
export function serverInfo(body: unknown, address: string): ServerInfo {
  const number = textAt(body, 'version', 'number');
  const match = /^(\d+)\.(\d+)/.exec(number ?? '');
  if (number === undefined || match === null) {
    throw new CrawlerError(
      'unsupported',
      `[${address}] answers, but neither as Elasticsearch nor as OpenSearch: check engine.urls and engine.path_prefix.`,
      { subject: address },
    );
  }
  const [major, minor] = [Number(match[1]), Number(match[2])];
  if (textAt(body, 'version', 'build_flavor') === 'serverless') {
    return { kind: 'serverless', label: 'serverless', major, minor };
  }
  const isOpenSearch =
    textAt(body, 'version', 'distribution') === 'opensearch' || (textAt(body, 'tagline') ?? '').includes('OpenSearch');
  if (isOpenSearch) return { kind: 'opensearch', label: `opensearch-${number}`, major, minor };
  if (major < 7 || (major === 7 && minor < 17)) {
    throw new CrawlerError(
      'unsupported',
      `Elasticsearch ${number} at [${address}] is too old: 7.17 is the oldest version that is supported.`,
      { subject: address },
    );
  }
  return { kind: 'elasticsearch', label: number, major, minor };
}

/** Whether the server knows the field type `semantic_text` with a default inference endpoint, licence apart. */
export function knowsSemanticText(server: ServerInfo): boolean {
  if (server.kind === 'serverless') return true;
  if (server.kind === 'opensearch') return false;
  return server.major >= 9 || (server.major === 8 && server.minor >= 17);
}

/** The largest request body in bytes that every node takes, from `GET /_nodes/http`; undefined when it says nothing. */
export function requestLimit(body: unknown): number | undefined {
  const nodes = at(body, 'nodes');
  if (!isRecord(nodes)) return undefined;
  const limits = Object.values(nodes).map((node) => numberAt(node, 'http', 'max_content_length_in_bytes') ?? 0);
  const known = limits.filter((limit) => limit > 0);
  return known.length === 0 ? undefined : Math.min(...known);
}
