// Keeps a small catalog and index of this release for the tests of later ones: `node .ci/keep-formats.mjs`, once a release, after
// `npm run build`. They go to test/corpus/formats/<version>/ and are never changed.
import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startBucket } from '../test/full/upgrade/bucket.mjs';
import { root } from './package/root.mjs';

const MOST_BYTES = 400_000;
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const kept = join(root, 'test', 'corpus', 'formats', version);
if (existsSync(kept)) throw new Error(`[${kept}] exists: what a release has written is not changed.`);

const config = mkdtempSync(join(tmpdir(), 'crawler-formats-'));
const bucket = await startBucket();
try {
  mkdirSync(join(config, 'harbour'));
  writeFileSync(join(config, 'harbour', '_settings.yaml'), bucket.settings);
  const args = [join(root, 'bin', 'crawler.js'), 'harbour', '--loop', '1', '--config_dir', config];
  await promisify(execFile)(process.execPath, args);
  mkdirSync(kept, { recursive: true });
  for (const name of ['catalog.db', 'index.db']) copyFileSync(join(config, 'harbour', name), join(kept, name));
  const bytes = ['catalog.db', 'index.db'].reduce((sum, name) => sum + statSync(join(kept, name)).size, 0);
  if (bytes > MOST_BYTES) throw new Error(`The files have ${bytes} bytes, more than ${MOST_BYTES}.`);
  console.log(`${kept}: ${bytes} bytes`);
} finally {
  bucket.stop();
  rmSync(config, { recursive: true, force: true });
}
