import type { AddressGuard } from '../address-guard.js';
import type { NetworkTimeouts } from '../deadline.js';

/** Where a bucket is, and as whom it is asked. */
export interface S3Bucket {
  readonly endpoint: URL;
  readonly bucket: string;
  readonly region: string;
  readonly login: S3Login;
  /** The bucket is part of the path, and not of the host name. */
  readonly pathStyle: boolean;
  readonly guard: AddressGuard;
  readonly timeouts: NetworkTimeouts;
}

export type S3Login =
  | {
      readonly kind: 'keys';
      readonly accessKey: string;
      readonly secretKey: string;
      /** Of temporary keys. */
      readonly sessionToken: string | undefined;
    }
  /** What environment and configuration of this machine hold, with `instance` also what container and machine are given. */
  | { readonly kind: 'chain'; readonly profile: string | undefined; readonly instance: boolean }
  /** A public bucket. */
  | { readonly kind: 'anonymous' };

/** For messages: `s3://bucket at http://127.0.0.1:9000`. */
export function addressOf({ bucket, endpoint }: S3Bucket): string {
  return `s3://${bucket} at ${endpoint.origin}`;
}
