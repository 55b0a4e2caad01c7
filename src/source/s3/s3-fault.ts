import { CrawlerError, messageOf, systemCode } from '../../base/errors.js';
import { networkFault } from '../network-fault.js';
import { addressOf, type S3Bucket } from './s3-bucket.js';

/** Answers after which S3 itself asks for another attempt; the client has made them all by then. */
const PASSING: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/** What an error of the client says about the answer, if there was one. */
export interface S3ErrorReply {
  readonly status: number;
  /** Such as `AccessDenied`. */
  readonly code: string;
  readonly message: string;
  /** Of the bucket, when the request was signed for another one. */
  readonly region: string | undefined;
}

/** Undefined when the connection failed, or the answer could not be read. */
export function errorReplyOf(error: unknown): S3ErrorReply | undefined {
  const { $metadata, $response, name, Region } = fieldsOf(error);
  const status = fieldsOf($metadata)['httpStatusCode'];
  if (typeof status !== 'number' || status < 300) return undefined;
  const header = fieldsOf(fieldsOf($response)['headers'])['x-amz-bucket-region'];
  const region = [Region, header].find((each) => typeof each === 'string' && each !== '');
  return {
    status,
    code: typeof name === 'string' ? name : '',
    message: messageOf(error),
    region: typeof region === 'string' ? region : undefined,
  };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

/** Any failure about a path, as a sentence. */
export function s3Fault(bucket: S3Bucket, path: string, error: unknown): CrawlerError {
  if (error instanceof CrawlerError) return error;
  const reply = errorReplyOf(error);
  if (reply !== undefined) return faultOfReply(bucket, path, reply);
  if (fieldsOf(error)['name'] === 'TimeoutError') return silence(bucket, path);
  // The server closed the connection before the announced end.
  const broken = messageOf(error) === 'aborted' || systemCode(error) === 'ECONNRESET';
  const [firstLine = ''] = messageOf(error).split('\n');
  const cause = broken
    ? new Error('the connection broke off')
    : systemCode(error) === undefined
      ? new Error(firstLine)
      : error;
  return networkFault(`[${path}] in ${addressOf(bucket)} cannot be read`, path, cause);
}

export function silence(bucket: S3Bucket, path: string): CrawlerError {
  return new CrawlerError(
    'unavailable',
    `[${path}] in ${addressOf(bucket)} cannot be read: the server has been silent for ${bucket.timeouts.silenceMs / 1000} seconds.`,
    { subject: path },
  );
}

function faultOfReply(bucket: S3Bucket, path: string, { status, code, message, region }: S3ErrorReply): CrawlerError {
  const place = `[${path}] in ${addressOf(bucket)}`;
  if (status === 404) {
    const why = code === 'NoSuchBucket' ? 'The bucket does not exist' : 'The specified key does not exist';
    return new CrawlerError('not_found', `${place} does not exist (any more): ${why}.`, { subject: path });
  }
  const answer = [String(status), code, message === code ? '' : message].filter((each) => each !== '').join(' ');
  const sentence = `${place} cannot be read: the server answers [${answer}].`;
  if (PASSING.has(status)) return new CrawlerError('unavailable', sentence, { subject: path });
  return new CrawlerError('denied', `${sentence}${remedyOf(status, region)}`, { subject: path });
}

function remedyOf(status: number, region: string | undefined): string {
  if (status >= 300 && status < 400) {
    return region === undefined
      ? ' Check the endpoint.'
      : ` The bucket is in the region [${region}]: check region and endpoint.`;
  }
  return status === 401 || status === 403 ? ' Check the credentials, and what they may read.' : '';
}
