import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { missingForOpenSearch, startOpenSearch, type OpenSearchServer } from '../engines/start-opensearch.mjs';

/**
 * Runs a suite against every engine of TEST_ENGINE_URLS (comma separated), or, without it, against an OpenSearch
 * that is started for this file. Where that is not possible the suite is skipped under a name that says what is missing.
 */
export function describeRealEngines(name: string, suite: (url: () => string) => void): void {
  const urls = givenUrls();
  if (urls.length > 0) {
    describe.each(urls)(`${name} (%s)`, (url) => {
      suite(() => url);
    });
  } else {
    describeOwnEngine(name, (engine) => {
      suite(() => engine.server.url);
    });
  }
}

export interface OwnEngine {
  /** The folder of its data. */
  readonly home: string;
  server: OpenSearchServer;
}

/** Runs a suite against an OpenSearch of its own, which it may kill and start again. */
export function describeOwnEngine(name: string, suite: (engine: OwnEngine) => void): void {
  const missing = missingForOpenSearch();
  if (missing !== undefined) process.stderr.write(`Skipped: ${name} needs ${missing}, or TEST_ENGINE_URLS.\n`);
  const describeOrSkip = missing === undefined ? describe : describe.skip;
  describeOrSkip(`${name} (OpenSearch)`, () => {
    const engine = { home: mkdtempSync(join(tmpdir(), 'opensearch-')) } as OwnEngine;
    beforeAll(async () => {
      engine.server = await startOpenSearch({ home: engine.home });
    }, 300_000);
    suite(engine);
    afterAll(async () => {
      await engine.server.stop();
      rmSync(engine.home, { recursive: true, force: true });
    });
  });
}

function givenUrls(): readonly string[] {
  return (process.env['TEST_ENGINE_URLS'] ?? '')
    .split(',')
    .map((url) => url.trim())
    .filter((url) => url !== '');
}

/** A plain request beside the adapter, to see what a server really holds. */
export async function ask(url: string, method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`${url}${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  return response.json();
}
