// The extraction side of bench-extract.mjs, a process of its own so that its memory and its start can be measured: main
// process and pool as in the program, without index and service. Extracts one document as soon as it runs, then obeys.
import { basename } from 'node:path';
import { dist } from './measure.mjs';

const load = (path) => import(new URL(path, dist).href);
const { ExtractionPool } = await load('extract/runtime/pool/extraction-pool.js');
const { silentLogger } = await load('base/logger.js');

const [, , first] = process.argv;
const ocr = { enabled: false, language: 'eng', outputType: 'txt', pdfStrategy: 'no_ocr', pageSegMode: 1 };
const options = { maxCharacters: -1, detectLanguage: false, includeSource: false, passwords: [], ocr };
const pool = new ExtractionPool({ size: 2, logger: silentLogger });

async function extract(path) {
  const request = { name: basename(path), content: { kind: 'path', path }, options };
  return await pool.extract(request, new AbortController().signal);
}

process.on('message', async ({ paths, streams, wantsTexts }) => {
  const results = [];
  const queue = paths.entries();
  const beganAt = performance.now();
  await Promise.all(
    Array.from({ length: streams }, async () => {
      for (const [at, path] of queue) {
        const since = performance.now();
        const { text, contentType, problem } = await extract(path);
        const ms = performance.now() - since;
        results[at] = { ms, contentType, problem: problem?.reason, ...(wantsTexts ? { text } : {}) };
      }
    }),
  );
  process.send({ seconds: (performance.now() - beganAt) / 1000, results });
});
process.on('disconnect', () => void pool.close().then(() => process.exit(0)));

await extract(first);
process.send({ isReady: true });
