import { createHash, createHmac } from 'node:crypto';

/**
 * Signatures of AWS, version 4, for requests without a body. What is signed is the request in a canonical form:
 *
 *     method \n path \n query, sorted \n headers, one a line \n\n names of the headers \n hash of the body
 *
 * with path and query percent-encoded once (S3's own rule). The key is derived in steps from the secret key, day, region
 * and service, so that a stolen one is of use for a day.
 */
export interface Credentials {
  readonly accessKey: string;
  readonly secretKey: string;
}

export interface SignedRequest {
  readonly method: string;
  readonly host: string;
  /** Encoded. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly region: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const EMPTY_HASH = createHash('sha256').digest('hex');

/** The headers to send, with the `host` header. Without credentials the request is anonymous, as public buckets allow. */
export function signedHeaders(
  request: SignedRequest,
  credentials: Credentials | undefined,
  nowMs: number,
): Record<string, string> {
  if (credentials === undefined) return { host: request.host, ...request.headers };
  const time = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '');
  const headers: Record<string, string> = {
    ...request.headers,
    host: request.host,
    'x-amz-content-sha256': EMPTY_HASH,
    'x-amz-date': time,
  };
  const scope = `${time.slice(0, 8)}/${request.region}/s3/aws4_request`;
  const names = Object.keys(headers).sort();
  const canonical = [
    request.method,
    request.path,
    encodedQuery(request.query),
    ...names.map((name) => `${name}:${(headers[name] ?? '').trim()}`),
    '',
    names.join(';'),
    EMPTY_HASH,
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
  const steps = [time.slice(0, 8), request.region, 's3', 'aws4_request', text];
  const signature = steps
    .reduce<Buffer>((key, step) => hmac(key, step), Buffer.from(`AWS4${credentials.secretKey}`, 'utf8'))
    .toString('hex');
  const authorization = `AWS4-HMAC-SHA256 Credential=${credentials.accessKey}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`;
  return { ...headers, authorization };
}

/** Sorted by name. */
export function encodedQuery(query: Readonly<Record<string, string>>): string {
  return Object.entries(query)
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&');
}

/** Everything but letters, digits and `-_.~` as the hexadecimal bytes of its UTF-8. */
export function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
