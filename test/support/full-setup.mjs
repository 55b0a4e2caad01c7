// Before the tests that need servers (`--globalSetup` of `npm run test:full`): the package, and one search engine for all suites
// that only write and read. A suite that stops and kills its engine starts one of its own.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { missingForOpenSearch, startOpenSearch } from '../engines/start-opensearch.mjs';
import makePackage from './packed-program.mjs';

export default async function prepare() {
  makePackage();
  if (process.env.TEST_ENGINE_URLS !== undefined || missingForOpenSearch() !== undefined) return;
  const home = mkdtempSync(join(tmpdir(), 'opensearch-'));
  const server = await startOpenSearch({ home });
  process.env.TEST_ENGINE_URLS = server.url;
  globalThis.stopTestServers = async () => {
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  };
}
