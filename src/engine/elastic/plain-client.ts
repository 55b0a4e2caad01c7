import type { Client } from '@elastic/elasticsearch';
import { packageVersion } from '../../base/package-root.js';
import { credentialsOf, nodeUrls, tlsTrust, type ElasticConnection } from './nodes.js';

const REQUEST_TIMEOUT_MS = 90_000;
/** A dead node is tried again after this long, doubled for every further failure, at most 32 times as long. */
const REVIVAL_MS = 5_000;

/**
 * One client for Elasticsearch 7.17, 8, 9 and OpenSearch 2, 3. As delivered, the client asks for a product header that
 * OpenSearch does not send, and marks every body with a media type of its own major version, which Elasticsearch 8 and
 * OpenSearch refuse. Without the two it speaks plain JSON, which all of them accept.
 *
 * The package is loaded here and not at the top: a job with an embedded index never pays for it.
 *
 * `redaction: off` is a matter of speed: otherwise each failed request copies its body byte by byte into an object
 * (44 s for a body of 20 MB). The errors of the client, which carry headers and body, must therefore stay in this folder.
 *
 * The request timeout is longer than the minute that a server itself waits for a missing shard, so that its answer,
 * which says so for each document, is not lost.
 */
export async function openPlainClient(connection: ElasticConnection): Promise<Client> {
  const nodes = nodeUrls(connection);
  const tls = tlsTrust(connection);
  const auth = credentialsOf(connection);
  const { Client } = await import('@elastic/elasticsearch');
  const { ClusterConnectionPool, Transport } = await import('@elastic/transport');

  class PlainTransport extends Transport {
    constructor(options: ConstructorParameters<typeof Transport>[0]) {
      const plain = { ...options };
      delete plain.productCheck;
      delete plain.vendoredHeaders;
      super(plain);
    }
  }

  class RevivingPool extends ClusterConnectionPool {
    constructor(options: ConstructorParameters<typeof ClusterConnectionPool>[0]) {
      super(options);
      this.resurrectTimeout = REVIVAL_MS;
    }
  }

  return new Client({
    nodes: nodes.map((url) => ({ url })),
    Transport: PlainTransport,
    ConnectionPool: RevivingPool,
    maxRetries: 0,
    requestTimeout: connection.requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
    tls,
    enableMetaHeader: false,
    headers: { 'user-agent': `document-crawler/${packageVersion()}` },
    redaction: { type: 'off' },
    ...(auth === undefined ? {} : { auth }),
  });
}
