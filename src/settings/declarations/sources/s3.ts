import { choice, flag, text, url, verbatim } from '../../setting-types.js';
import { section, setting } from '../../setting.js';
import { declareSource } from './source-declaration.js';

export const s3Declaration = declareSource({
  type: 's3',
  section: section('An S3 bucket to crawl, with `fs.provider: s3`; `fs.url` is the prefix in it.', {
    endpoint: setting(url, {
      example: 'http://127.0.0.1:9000',
      meaning: 'Address of the service. Not set: Amazon S3 of the region.',
    }),
    bucket: setting(text, { example: 'documents', meaning: 'Name of the bucket.' }),
    region: setting(text, { default: 'us-east-1', meaning: 'Region of the bucket.' }),
    accessKey: setting(verbatim, { secret: true, example: 'YOUR_ACCESS_KEY', meaning: 'Access key.' }),
    secretKey: setting(verbatim, { secret: true, example: 'YOUR_SECRET_KEY', meaning: 'Secret key.' }),
    sessionToken: setting(verbatim, {
      secret: true,
      example: 'YOUR_SESSION_TOKEN',
      meaning: 'Session token of temporary keys.',
    }),
    profile: setting(text, {
      example: 'documents',
      meaning: "Profile of `~/.aws/config` and `~/.aws/credentials`, with its role. Not set: the environment's.",
    }),
    credentials: setting(choice(['instance', 'anonymous']), {
      example: 'instance',
      meaning:
        'Without keys: `instance` also asks for the role of the container or machine, `anonymous` uses none. Not set: those of environment and profile, or none for a public bucket.',
    }),
    pathStyle: setting(flag, {
      example: 'true',
      meaning: 'Put the bucket into the path instead of the host name. Not set: only where an `endpoint` is given.',
    }),
  }),
  rules: [
    {
      about: 'fs.s3.bucket',
      check: ({ bucket }) => (bucket === undefined ? 'Provider [s3] requires fs.s3.bucket to be set' : undefined),
    },
    {
      about: 'fs.s3.access_key',
      check: ({ accessKey, secretKey }) =>
        accessKey === undefined && secretKey !== undefined ? HALF_A_PAIR : undefined,
    },
    {
      about: 'fs.s3.secret_key',
      check: ({ accessKey, secretKey }) =>
        accessKey !== undefined && secretKey === undefined ? HALF_A_PAIR : undefined,
    },
  ],
});

const HALF_A_PAIR =
  'It is missing: fs.s3.access_key and fs.s3.secret_key belong together. Leave out both for the keys of the environment, or for a public bucket.';
