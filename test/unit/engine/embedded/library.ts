import { afterAll, beforeAll } from '@jest/globals';
import { silentLogger } from '../../../../src/base/logger.js';
import { EmbeddedEngine } from '../../../../src/engine/embedded/embedded-engine.js';
import type { SearchResponse } from '../../../../src/engine/engine.js';
import type { DocumentSource } from '../../../../src/model/document.js';
import { tempDir } from '../../../support/temp-dir.js';

/** A small library that every kind of query finds something in. */
export const INDEX = 'library';

export const LIBRARY: Readonly<Record<string, DocumentSource>> = {
  report: {
    content: 'The annual report of the Straße company shows a profit of twelve million euro. Annual means yearly.',
    file: {
      filename: 'annual-report.pdf',
      extension: 'pdf',
      content_type: 'application/pdf',
      filesize: 2048,
      last_modified: '2024-01-15T10:00:00.000Z',
      url: 'file:///data/finance/2023/annual-report.pdf',
    },
    path: { root: 'f23', real: '/data/finance/2023/annual-report.pdf', virtual: '/finance/2023/annual-report.pdf' },
    meta: { title: 'Annual Report 2023', author: 'Jane Doe', keywords: ['finance', 'year end'], rating: 5 },
    attributes: { owner: 'jane', group: 'office', permissions: 644 },
  },
  budget: {
    content: 'Budget plan for the next year. Profit and loss are planned by month.',
    file: {
      filename: 'budget plan.xlsx',
      extension: 'xlsx',
      filesize: 10_240,
      last_modified: '2024-03-31T22:30:00.000Z',
    },
    path: { root: 'f24', real: '/data/finance/2024/budget plan.xlsx', virtual: '/finance/2024/budget plan.xlsx' },
    meta: { title: 'Budget', author: 'John Roe', language: 'en', created: '2024-03-01T00:00:00Z' },
    external: {
      project: { name: 'Apollo Program', code: 7 },
      tags: ['draft', 'internal'],
      due: '2024-06-30',
      approved: false,
    },
  },
  letter: {
    content: 'Sehr geehrte Damen und Herren, die Prüfung der Bücher ist abgeschlossen.',
    file: { filename: 'brief.txt', extension: 'txt', filesize: 71, last_modified: '2024-04-01T08:00:00.000Z' },
    path: { root: 'lde', real: '/data/letters/de/brief.txt', virtual: '/letters/de/brief.txt' },
    meta: { language: 'de' },
    external: { project: { name: 'Gemini', code: 12 }, tags: ['final'], due: '2024-12-31', approved: true },
  },
  tokyo: {
    content: '東京都に住んでいる人々の annual festival',
    file: { filename: '手紙.txt', extension: 'txt', filesize: 52, last_modified: '2024-05-20T00:00:00.000Z' },
    path: { root: 'lja', real: '/data/letters/ja/手紙.txt', virtual: '/letters/ja/手紙.txt' },
    meta: { language: 'ja' },
  },
  mail: {
    content: 'Jane, please send the budget report to the board. It is about profit.',
    file: { filename: 'board.eml', extension: 'eml', filesize: 900, last_modified: '2025-01-02T00:00:00.000Z' },
    path: { root: 'm', real: '/data/mail/board.eml', virtual: '/mail/board.eml' },
    meta: { raw: { 'dc:subject': 'Board meeting', 'Message:From': 'john@example.org' } },
    external: { project: { code: 7.5 }, note: 'a'.repeat(300) },
  },
  empty: {
    file: { filename: 'empty', filesize: 0, last_modified: '2023-12-31T23:59:59.999Z' },
    path: { root: 'd', real: '/data/empty', virtual: '/empty' },
    meta: {},
  },
};

export const SIGNAL = new AbortController().signal;

export function openEmbedded(directory: string): EmbeddedEngine {
  return new EmbeddedEngine({ directory, baseUrl: () => undefined, version: '0.0.0', logger: silentLogger });
}

export interface Library {
  readonly engine: EmbeddedEngine;
  readonly search: (body: Readonly<Record<string, unknown>>) => Promise<SearchResponse>;
  /** Ids that a query finds, sorted. */
  readonly find: (query: unknown) => Promise<string[]>;
  /** Ids in the order of the answer. */
  readonly ranked: (body: Readonly<Record<string, unknown>>) => Promise<string[]>;
}

/** Opens the library for the tests of a file. */
export function openLibrary(): Library {
  const engine = openEmbedded(tempDir());
  beforeAll(async () => {
    const operations = Object.entries(LIBRARY).map(([id, document]) => {
      return { kind: 'index', index: INDEX, id, document } as const;
    });
    await engine.write(operations, SIGNAL);
  });
  afterAll(() => engine.close());
  const search: Library['search'] = (body) => engine.search({ index: INDEX, body }, SIGNAL);
  const ranked: Library['ranked'] = async (body) => (await search(body)).hits.hits.map(({ _id }) => _id);
  const find: Library['find'] = async (query) => (await ranked({ query, size: 100 })).sort();
  return { engine, search, find, ranked };
}
