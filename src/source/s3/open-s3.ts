import type { JobSettings } from '../../settings/job-settings.js';
import { openGuard } from '../address-guard.js';
import { defaultTimeouts } from '../deadline.js';
import type { TreeSource } from '../source.js';
import type { S3Login } from './s3-bucket.js';
import { S3Source } from './s3-source.js';

/** The tree of a job with `fs.provider: s3`. */
export function openS3({ fs }: JobSettings): TreeSource {
  const { endpoint, bucket = '', region, pathStyle } = fs.s3;
  return new S3Source({
    endpoint: new URL(endpoint ?? `https://s3.${region}.amazonaws.com`),
    bucket,
    region,
    login: loginOf(fs.s3),
    pathStyle: pathStyle ?? endpoint !== undefined,
    guard: openGuard,
    timeouts: defaultTimeouts,
  });
}

function loginOf({ accessKey, secretKey, sessionToken, profile, credentials }: JobSettings['fs']['s3']): S3Login {
  if (accessKey !== undefined && secretKey !== undefined) return { kind: 'keys', accessKey, secretKey, sessionToken };
  if (credentials === 'anonymous') return { kind: 'anonymous' };
  return { kind: 'chain', profile, instance: credentials === 'instance' };
}
