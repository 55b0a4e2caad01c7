import { mkdirSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * A process of its own that writes to an embedded index: `writing-program.mjs <dist> <directory> <task> [prefix]`.
 *
 *   endless   batches until it is killed; prints the number of each batch that was acknowledged
 *   batches   30 batches of 20 documents; prints "done" or what went wrong
 *   full      fills the disk, frees some, continues; prints a JSON line of what was answered
 *   prepare   opens the index of its own job, and so repairs a damaged one
 *   stuck     a search that SQLite does not return from for a minute or more; closes the index and prints "closed"
 */
const [, , dist, directory, task, prefix = 'doc'] = process.argv;
const { EmbeddedEngine } = await import(pathToFileURL(join(dist, 'engine/embedded/embedded-engine.js')).href);
const quiet = { error() {}, warn() {}, info() {}, debug() {}, trace() {}, isEnabled: () => false };
const signal = AbortSignal.timeout(120_000);
const BATCH = 20;

const TASKS = { endless, batches, full, stuck, prepare };
await TASKS[task]();

function open(options = {}) {
  return new EmbeddedEngine({ directory, baseUrl: () => undefined, version: '0.0.0', logger: quiet, ...options });
}

function batch(number, words = 60) {
  return Array.from({ length: BATCH }, (_, at) => ({
    kind: 'index',
    index: 'docs',
    id: `${prefix}-${number}-${at}`,
    document: { content: `${prefix} common ${'word '.repeat(words)} n${number}`, external: { batch: number } },
  }));
}

/** Every fourth batch replaces an old one, so that updates are killed too. */
async function endless() {
  const engine = open();
  for (let number = 0; ; number += 1) {
    if (number % 4 === 3) await engine.write(batch(number - 3), signal);
    const outcomes = await engine.write(batch(number), signal);
    if (outcomes.every(({ ok }) => ok)) writeSync(1, `${number}\n`);
  }
}

async function batches() {
  const engine = open();
  for (let number = 0; number < 30; number += 1) {
    const fault = (await engine.write(batch(number), signal)).find(({ ok }) => !ok);
    if (fault !== undefined) return void writeSync(1, `${JSON.stringify(fault)}\n`);
  }
  await engine.close();
  writeSync(1, 'done\n');
}

async function full() {
  mkdirSync(directory, { recursive: true });
  const filler = join(directory, 'filler');
  writeFileSync(filler, Buffer.alloc(3 * 1024 * 1024));
  const engine = open();
  const acknowledged = [];
  const refused = [];
  let number = 0;
  for (; refused.length === 0 && number < 2000; number += 1) await send(engine, number, acknowledged, refused);
  const whileFull = await engine.count('docs', { term: { content: 'common' } }, signal);
  const expectedWhileFull = acknowledged.length * BATCH;
  rmSync(filler);
  const later = [];
  for (const each of [...refused.map((refusal) => refusal.number), number])
    await send(engine, each, acknowledged, later);
  const afterwards = await engine.count('docs', { term: { content: 'common' } }, signal);
  await engine.close();
  const again = open();
  const reopened = await again.count('docs', { match_all: {} }, signal);
  await again.close();
  const expected = acknowledged.length * BATCH;
  writeSync(1, `${JSON.stringify({ refused, later, whileFull, expectedWhileFull, afterwards, reopened, expected })}\n`);
}

async function send(engine, number, acknowledged, refused) {
  const outcomes = await engine.write(batch(number, 400), signal);
  if (outcomes.every(({ ok }) => ok)) acknowledged.push(number);
  else
    refused.push({
      number,
      answers: [...new Set(outcomes.map(({ ok, code, message }) => `${ok} ${code} ${message}`))],
    });
}

/** One row of many words: FTS5 compares all of it before it gives anything back. */
async function stuck() {
  const engine = open({ searchTimeoutMs: 200 });
  const document = { content: 'a '.repeat(10_000_000) };
  await engine.write([{ kind: 'index', index: 'docs', id: 'long', document }], signal);
  const query = { match_phrase: { content: `${'a '.repeat(1000)}b` } };
  const fault = await engine.search({ index: 'docs', body: { query } }, signal).catch((error) => error);
  await engine.close();
  writeSync(1, `${fault.code}, closed\n`);
}

async function prepare() {
  const engine = open({ owned: true, index: 'docs' });
  await engine.prepare(signal);
  await engine.close();
}
