import type { AddressGuard } from '../address-guard.js';
import type { Patience } from '../deadline.js';
import type { Credentials } from './signature.js';

/** Where a bucket is, and as whom it is asked. */
export interface S3Bucket {
  readonly endpoint: URL;
  readonly bucket: string;
  readonly region: string;
  /** Undefined for a public bucket. */
  readonly credentials: Credentials | undefined;
  /** The bucket is part of the path, and not of the host name. */
  readonly pathStyle: boolean;
  readonly guard: AddressGuard;
  readonly patience: Patience;
}

/** For messages: `s3://bucket at http://127.0.0.1:9000`. */
export function addressOf({ bucket, endpoint }: S3Bucket): string {
  return `s3://${bucket} at ${endpoint.origin}`;
}
