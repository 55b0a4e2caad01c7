import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '../../src/base/logger.js';
import { EmbeddedEngine } from '../../src/engine/embedded/embedded-engine.js';
import type { RestOptions } from '../../src/rest/rest-service.js';
import { INDEX, call, startRest } from './rest-harness.js';
import type { Answer, RestHarness } from './rest-harness.js';

/** The service over a real embedded index in a folder of its own. */
export interface EngineHarness {
  readonly engine: EmbeddedEngine;
  readonly rest: RestHarness;
  readonly folder: string;
  /** Address of the Elasticsearch API. */
  readonly node: string;
  /** A request to it. */
  ask(path: string, init?: RequestInit): Promise<Answer>;
  /** A request with a JSON body. */
  post(path: string, body: unknown, method?: string): Promise<Answer>;
  /** Indexes documents by their ids. */
  write(documents: Readonly<Record<string, object>>, index?: string): Promise<void>;
  remove(ids: readonly string[], index?: string): Promise<void>;
  close(): Promise<void>;
}

const { signal } = new AbortController();

export async function startEngineRest(overrides: Partial<RestOptions> = {}): Promise<EngineHarness> {
  const folder = await mkdtemp(join(tmpdir(), 'elasticsearch-api-'));
  const service: { rest?: RestHarness } = {};
  const engine = new EmbeddedEngine({
    directory: folder,
    baseUrl: () => service.rest?.url,
    version: '1.2.3',
    logger: silentLogger,
  });
  await engine.prepare(signal);
  const rest = await startRest({ engine, ...overrides });
  service.rest = rest;
  const node = `${rest.url}/_engine`;
  const ask = (path: string, init?: RequestInit): Promise<Answer> => call(`${node}${path}`, init);
  return {
    engine,
    rest,
    folder,
    node,
    ask,
    post: (path, body, method = 'POST') =>
      ask(path, {
        method,
        headers: { 'content-type': 'application/json' },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    async write(documents, index = INDEX) {
      const operations = Object.entries(documents).map(([id, document]) => ({
        kind: 'index' as const,
        index,
        id,
        document: { ...document },
      }));
      await engine.write(operations, signal);
    },
    async remove(ids, index = INDEX) {
      await engine.write(
        ids.map((id) => ({ kind: 'delete', index, id })),
        signal,
      );
    },
    async close() {
      await rest.close();
      await engine.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** So many documents `d0`, `d1` …, of two types, with words of different weight. */
export function numbered(count: number, from = 0): Record<string, object> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => {
      const number = from + at;
      const content = `lighthouse ${'keeper '.repeat(number % 7)}number ${number}`;
      const extension = number % 3 === 0 ? 'pdf' : 'txt';
      const file = { filename: `f${number}.${extension}`, extension, filesize: (number * 7919) % 1009 };
      return [`d${number}`, { content, file }];
    }),
  );
}
