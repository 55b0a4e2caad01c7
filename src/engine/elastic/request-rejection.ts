import { describe } from './engine-client.js';
import { parseJson } from './json.js';
import type { Answer, Exchange } from './node-exchange.js';
import { reasonOfBody } from './server-errors.js';

/** A bulk request that is refused as a whole, where a smaller one, without the culprit, would be taken. */
export interface RequestRejection {
  /** Set when size is the matter: requests above this are refused, as far as is known. */
  readonly limitBytes: number | undefined;
  /** What to say of a document that is refused alone, in a request of so many bytes. */
  sentence(bytes: number): string;
}

/**
 * A server with little memory answers 429 to a request that alone is above its limit for all requests together (a tenth of
 * the heap), and would do so for ever: `… coordinating_operation_bytes=62915278, max_coordinating_bytes=53687091]`.
 */
const PRESSURE = /operation_bytes=(\d+).*?max_\w*bytes=(\d+)/;

export function rejectionOf(exchange: Exchange): RequestRejection | undefined {
  if (exchange.kind === 'fault' || !exchange.whole) return undefined;
  const { type, reason } = reasonOfBody(parseJson(exchange.text));
  switch (exchange.status) {
    case 413:
      return tooLarge(exchange, Infinity, 'raise http.max_content_length there');
    case 429: {
      const pressure = PRESSURE.exec(reason);
      const [wanted, limit] = [Number(pressure?.[1]), Number(pressure?.[2])];
      const isHopeless = wanted > limit;
      return isHopeless ? tooLarge(exchange, limit, 'give it more memory (indexing_pressure.memory.limit)') : undefined;
    }
    case 400:
      // A page of a proxy is no such refusal: it says nothing about a document.
      return type === '' ? undefined : impossible(exchange);
    default:
      return undefined;
  }
}

function tooLarge(exchange: Answer, limitBytes: number, remedy: string): RequestRejection {
  return {
    limitBytes,
    sentence: (bytes) =>
      `The document makes a request of ${(bytes / 1024 / 1024).toFixed(1)} MB, which is more than the search engine or a ` +
      `proxy before it accepts (${describe(exchange)}): ${remedy}, or lower fs.indexed_chars.`,
  };
}

function impossible(exchange: Answer): RequestRejection {
  return { limitBytes: undefined, sentence: () => `The search engine refuses it: ${describe(exchange)}.` };
}
