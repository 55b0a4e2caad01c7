// The index of the web benches: documents of texts, some with words of known frequency.
import { mkdirSync } from 'node:fs';
import { dist } from '../measure.mjs';
import { makeTexts } from '../text-tree.mjs';

export const INDEX = 'bench_docs';
const load = (path) => import(new URL(path, dist).href);

/** Writes the documents into the index of a job without a crawl; words of known frequency are in them. */
export async function fill(directory, count, kilobytes) {
  mkdirSync(directory, { recursive: true });
  const { EmbeddedEngine } = await load('engine/embedded/embedded-engine.js');
  const { silentLogger: logger } = await load('base/logger.js');
  const engine = new EmbeddedEngine({ directory, baseUrl: () => undefined, version: 'bench', logger });
  const { signal } = new AbortController();
  await engine.prepare(signal);
  const texts = makeTexts(5000, kilobytes * 1000);
  const start = performance.now();
  for (let at = 0; at < count;) {
    const batch = [];
    for (; batch.length < 500 && at < count; at += 1) batch.push(operation(at, count, texts));
    const outcomes = await engine.write(batch, signal);
    const failed = outcomes.find(({ ok }) => !ok);
    if (failed !== undefined) throw new Error(JSON.stringify(failed));
  }
  const seconds = (performance.now() - start) / 1000;
  await engine.close();
  return seconds;
}

function operation(at, count, texts) {
  const words = [
    ...(at % Math.floor(count / 100) === 0 ? ['rareword'] : []),
    ...(at % 100 === 0 ? ['uncommonword'] : []),
    ...(at % 2 === 0 ? ['commonword'] : []),
  ];
  const long = at === 7 ? `longword ${'longword and other words '.repeat(4000)}`.slice(0, 100_000) : '';
  const name = `file-${at}.txt`;
  const virtual = `/folder-${at % 50}/${name}`;
  const document = {
    content: long === '' ? `${words.join(' ')} ${texts[at % texts.length]}` : long,
    file: {
      filename: name,
      extension: 'txt',
      content_type: 'text/plain; charset=UTF-8',
      filesize: 2000 + (at % 1000),
      last_modified: new Date(1.6e12 + at * 60_000).toISOString(),
      indexing_date: new Date(1.7e12).toISOString(),
    },
    meta: { author: `Author ${at % 20}`, language: 'en' },
    path: { real: `/data${virtual}`, virtual, root: `root-${at % 50}` },
  };
  return { kind: 'index', index: INDEX, id: `d${at}`, document };
}
