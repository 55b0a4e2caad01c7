import { isRecord } from './json.js';
import type { ServerInfo } from './server.js';

type Body = Readonly<Record<string, unknown>>;

/** One less than `index.highlight.max_analyzed_offset` is by default. */
const CHARACTERS = 999_999;

/**
 * A server refuses to highlight a text of more than a million characters, and with it the whole search, unless the request says
 * where to stop. The option has another name in OpenSearch.
 */
export function withHighlightLimit(body: Body, server: ServerInfo | undefined): Body {
  const option = optionOf(server);
  const { highlight } = body;
  if (option === undefined || !isRecord(highlight) || option in highlight) return body;
  return { ...body, highlight: { ...highlight, [option]: CHARACTERS } };
}

/** Undefined where the server may not know it: an OpenSearch before 2.2, or one that claims to be Elasticsearch 7.10. */
function optionOf(server: ServerInfo | undefined): string | undefined {
  if (server === undefined) return undefined;
  const { kind, major, minor } = server;
  if (kind !== 'opensearch') return 'max_analyzed_offset';
  return major < 7 && (major > 2 || (major === 2 && minor >= 2)) ? 'max_analyzer_offset' : undefined;
}
