import { CrawlerError } from '../../base/errors.js';
import type { JobSettings } from '../../settings/job-settings.js';
import { openGuard } from '../address-guard.js';
import { usualPatience } from '../deadline.js';
import type { TreeSource } from '../source.js';
import type { S3Bucket } from './s3-bucket.js';
import { S3Source } from './s3-source.js';

/** The tree of a job with `fs.provider: s3`. Throws `settings_invalid` for half a pair of keys. */
export function openS3({ fs }: JobSettings): TreeSource {
  const { endpoint, bucket = '', region, pathStyle } = fs.s3;
  return new S3Source({
    endpoint: new URL(endpoint ?? `https://s3.${region}.amazonaws.com`),
    bucket,
    region,
    credentials: credentialsOf(fs.s3),
    pathStyle: pathStyle ?? endpoint !== undefined,
    guard: openGuard,
    patience: usualPatience,
  });
}

function credentialsOf({ accessKey, secretKey }: JobSettings['fs']['s3']): S3Bucket['credentials'] {
  if (accessKey === undefined && secretKey === undefined) return undefined;
  if (accessKey !== undefined && secretKey !== undefined) return { accessKey, secretKey };
  const lacking = accessKey === undefined ? 'fs.s3.access_key' : 'fs.s3.secret_key';
  throw new CrawlerError(
    'settings_invalid',
    `${lacking} is missing: the two keys belong together. For a public bucket leave out both.`,
    { subject: lacking },
  );
}
