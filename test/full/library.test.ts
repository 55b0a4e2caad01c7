import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { libraryProgram, printedBy } from '../support/library-program.js';
import { tempDir } from '../support/temp-dir.js';

let folder: string;
let documents: string;
let options: string;

beforeEach(() => {
  folder = tempDir();
  documents = join(folder, 'documents');
  mkdirSync(documents);
  writeFileSync(join(documents, 'harbour.txt'), 'The lighthouse at the harbour.');
  writeFileSync(join(documents, 'ferry.txt'), 'The ferry leaves at noon.');
  options = `{ configDir: ${JSON.stringify(join(folder, 'config'))} }`;
});

const place = (): string => JSON.stringify(documents);

const CODE = `const codeOf = (work) => work.then(() => 'none', ({ name, code, subject }) => [name, code, subject]);`;

describe('crawl', () => {
  test('indexes a folder once and says what it has done', async () => {
    const lines = `import { crawl } from 'document-crawler';
      const crawling = await crawl(${place()}, ${options});
      const { job, url } = crawling;
      const { elapsedMs, ...summary } = await crawling.done;
      print({ job, url, summary, isTimed: elapsedMs > 0, status: crawling.status().indexed });`;
    expect(await printedBy(lines)).toEqual({
      job: 'documents',
      summary: { outcome: 'completed', indexed: 2, removed: 0, failed: 0, skipped: 0, reasons: {} },
      isTimed: true,
      status: 2,
    });
    expect(await printedBy(lines)).toMatchObject({ summary: { outcome: 'completed', indexed: 0 } });
  });

  test('makes the job that the command line makes, without a log', async () => {
    await printedBy(`import { crawl } from 'document-crawler';
      print((await (await crawl(${place()}, ${options})).done).outcome);`);
    expect(readdirSync(join(folder, 'config'))).toEqual(['documents']);
    const args = ['bin/crawler.js', 'search', 'documents', 'lighthouse', '--config_dir', join(folder, 'config')];
    expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toContain('harbour.txt');
  });

  test('tells what became of each document', async () => {
    const crawled = (settings: object): Promise<unknown> =>
      printedBy(`import { crawl } from 'document-crawler';
        const events = [];
        const { done } = await crawl(${place()}, {
          ...${options},
          settings: ${JSON.stringify(settings)},
          onDocument: (event) => events.push(event),
        });
        const { skipped, reasons } = await done;
        const named = ({ state, path, problem }) => [state, path?.split('/').at(-1), problem?.reason].filter(Boolean).join(' ');
        print({ events: events.map(named).sort(), skipped, reasons });`);
    writeFileSync(join(documents, 'broken.pdf'), '%PDF-1.7 and nothing else');
    expect(await crawled({ fs: { excludes: ['*/ferry.txt'] } })).toEqual({
      events: ['indexed broken.pdf corrupt', 'indexed harbour.txt'],
      skipped: 0,
      reasons: { corrupt: 1, excluded: 1 },
    });
    renameSync(join(documents, 'harbour.txt'), join(documents, 'port.txt'));
    rmSync(join(documents, 'broken.pdf'));
    expect(await crawled({ fs: { excludes: ['*/ferry.txt'] } })).toMatchObject({
      events: ['moved port.txt', 'removed'],
    });
    expect(await crawled({ fs: { filters: ['noon'] } })).toMatchObject({
      events: ['indexed ferry.txt', 'removed', 'skipped port.txt filtered'],
      skipped: 1,
    });
  });

  test('is refused while another crawl of the job is running', async () => {
    const lines = `import { crawl } from 'document-crawler'; ${CODE}
      const first = await crawl(${place()}, { ...${options}, runs: -1 });
      const second = await codeOf(crawl(${place()}, ${options}));
      await first.stop();
      print([second.slice(0, 2), (await first.done).outcome, await codeOf(crawl(${place()}, ${options}).then(({ done }) => done))]);`;
    expect(await printedBy(lines)).toEqual([['CrawlerError', 'conflict'], 'stopped', 'none']);
  });

  test('runs several jobs at once', async () => {
    const other = join(folder, 'others');
    mkdirSync(other);
    writeFileSync(join(other, 'one.txt'), 'One.');
    const lines = `import { crawl, openIndex } from 'document-crawler';
      const places = [${place()}, ${JSON.stringify(other)}];
      const crawls = await Promise.all(places.map((place) => crawl(place, ${options})));
      const summaries = await Promise.all(crawls.map(({ done }) => done));
      print(summaries.map(({ indexed }) => indexed));`;
    expect(await printedBy(lines)).toEqual([2, 1]);
  });

  test('serves HTTP until it is stopped', async () => {
    const lines = `import { crawl } from 'document-crawler';
      await (await crawl(${place()}, ${options})).done;
      const crawling = await crawl(${place()}, { ...${options}, rest: true, settings: { rest: { url: 'http://127.0.0.1:0' } } });
      const { ok } = await (await fetch(crawling.url)).json();
      await crawling.stop();
      print([ok, await fetch(crawling.url).then(() => 'up', () => 'down')]);`;
    expect(await printedBy(lines)).toEqual([true, 'down']);
  });
});

describe('openIndex', () => {
  beforeEach(async () => {
    await printedBy(`import { crawl } from 'document-crawler';
      print((await (await crawl(${place()}, ${options})).done).outcome);`);
  });

  test('searches, counts and reads the documents of a folder or a job', async () => {
    const lines = `import { openIndex } from 'document-crawler';
      const index = await openIndex(${place()}, ${options});
      const words = await index.search('lighthouse');
      const body = await index.search({ query: { match_all: {} }, aggs: { types: { terms: { field: 'file.extension' } } } }, { size: 1 });
      const all = [];
      for await (const { source } of index.documents()) all.push(source.file.filename);
      const read = await index.get(words.hits[0].id);
      const counts = [await index.count(), await index.count({ term: { 'file.filename': 'ferry.txt' } })];
      const missing = await index.get('no such id');
      await index.close();
      const byName = await openIndex('documents', ${options});
      print({
        words: [words.total, words.hits[0].source.file.filename, words.hits[0].highlight.content[0].trim()],
        body: [body.total, body.hits.length, body.aggregations.types.buckets[0].doc_count],
        all: all.sort(), read: read.source.content.trim(), counts, missing: missing ?? 'none', job: byName.job,
      });
      await byName.close();`;
    expect(await printedBy(lines)).toEqual({
      words: [1, 'harbour.txt', 'The <em>lighthouse</em> at the harbour.'],
      body: [2, 1, 2],
      all: ['ferry.txt', 'harbour.txt'],
      read: 'The lighthouse at the harbour.',
      counts: [2, 1],
      missing: 'none',
      job: 'documents',
    });
  });

  test('says what it does not have, and writes nothing', async () => {
    const lines = `import { openIndex } from 'document-crawler'; ${CODE}
      const index = await openIndex(${place()}, ${options});
      const unknown = await codeOf(index.search({ query: { geo_distance: {} } }));
      await index.close();
      print([unknown[1], await codeOf(openIndex('nobody', ${options})), await codeOf(openIndex('./nobody', ${options}))]);`;
    const absent = expect.arrayContaining(['CrawlerError', 'not_found']);
    expect(await printedBy(lines)).toEqual(['unsupported', absent, absent]);
    expect(readdirSync(join(folder, 'config'))).toEqual(['documents']);
  });
});

describe('extract', () => {
  test('takes a path, a URL or bytes', async () => {
    const lines = `import { extract } from 'document-crawler';
      import { readFile } from 'node:fs/promises';
      import { pathToFileURL } from 'node:url';
      const path = 'examples/documents/contracts/ferry-berth-agreement.docx';
      const all = [await extract(path), await extract(pathToFileURL(path)), await extract(await readFile(path), { name: 'a.docx' })];
      print(all.map(({ text, contentType, size, problem }) => [text.length, contentType, size, problem ?? 'none']));`;
    const [first, ...others] = (await printedBy(lines)) as unknown[][];
    expect(first?.slice(1)).toEqual([
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      expect.any(Number),
      'none',
    ]);
    expect(others).toEqual([first, first]);
  });

  test('a bad document is a problem, a bad call an exception', async () => {
    const lines = `import { extract } from 'document-crawler'; ${CODE}
      const bad = await extract(new TextEncoder().encode('%PDF-1.7 nothing'), { name: 'x.pdf' });
      print([bad.problem.reason, bad.text, await codeOf(extract('no.pdf')), await codeOf(extract('.')), await codeOf(extract(7)),
        await codeOf(extract(new URL('https://example.org/')))].map((each) => Array.isArray(each) ? each[1] : each));`;
    expect(await printedBy(lines)).toEqual(['corrupt', '', 'not_found', 'usage', 'usage', 'usage']);
  });

  test('opens encrypted documents with a password', async () => {
    const lines = `import { extract } from 'document-crawler';
      const path = ${JSON.stringify(resolve('test/corpus/archives/encrypted.7z'))};
      print([(await extract(path)).problem?.reason, (await extract(path, { passwords: ['wrong', 'secret'] })).problem ?? 'none']);`;
    expect(await printedBy(lines)).toEqual(['encrypted', 'none']);
  });

  test('keeps limits, returns digests, languages and the parts of a document', async () => {
    const lines = `import { extract, openExtractor } from 'document-crawler';
      const few = await extract('examples/documents/texts/weather-log.txt', { maxCharacters: 10, checksum: 'sha256' });
      const extractor = await openExtractor({ limits: { members: 1 } });
      const zip = await extractor.extract('examples/documents/archive/old-log-books.zip');
      const french = await extractor.extract('examples/documents/texts/le-phare-iso-8859-1.txt', { detectLanguage: true });
      const slides = await extractor.extract('examples/documents/reports/2025/annual-meeting.pptx');
      await extractor.close();
      print({
        few: [few.text.length, few.truncated, few.checksum.length],
        zip: [zip.problem.reason, zip.members.length], language: french.language, pages: slides.pages.length,
      });`;
    expect(await printedBy(lines)).toEqual({
      few: [10, true, 64],
      zip: ['too_large', 1],
      language: 'fr',
      pages: 4,
    });
  });

  test('an abort gives a document up, and closing all of them', async () => {
    const lines = `import { openExtractor } from 'document-crawler'; ${CODE}
      const extractor = await openExtractor({ processes: 1 });
      const controller = new AbortController();
      const path = 'examples/documents/handbook/lighthouse-keepers-handbook.pdf';
      const given = extractor.extract(path, { signal: controller.signal });
      controller.abort();
      const waiting = [extractor.extract(path), extractor.extract(path)];
      const ends = Promise.all([given, ...waiting].map(codeOf));
      await extractor.close();
      print([...(await ends), await codeOf(extractor.extract(path))].map(([, code]) => code));`;
    expect(await printedBy(lines)).toEqual(['cancelled', 'cancelled', 'cancelled', 'cancelled']);
  });
});

describe('the library', () => {
  test('prints nothing, hears no signals, and leaves the process as it is', async () => {
    const lines = `import { crawl, openIndex, extract } from 'document-crawler';
      import assert from 'node:assert';
      const before = [process.cwd(), process.umask(), process.eventNames().filter((name) => String(name).startsWith('SIG'))];
      const after = () => [process.cwd(), process.umask(), process.eventNames().filter((name) => String(name).startsWith('SIG'))];
      await (await crawl(${place()}, ${options})).done;
      const crawling = await crawl(${place()}, { ...${options}, rest: true, settings: { 'rest.url': 'http://127.0.0.1:0' } });
      assert.deepEqual(after(), before);
      await crawling.stop();
      const index = await openIndex(${place()}, ${options});
      await index.search('lighthouse');
      await index.close();
      await extract('examples/documents/handbook/lighthouse-keepers-handbook.pdf');
      assert.deepEqual(after(), before);`;
    expect(await libraryProgram(lines)).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('hands its messages to a logger', async () => {
    const lines = `import { crawl } from 'document-crawler';
      const messages = [];
      const write = (level) => (message) => messages.push([level, message]);
      const logger = { error: write('error'), warn: write('warn'), info: write('info'), debug: write('debug'),
        trace: write('trace'), isEnabled: () => true };
      await (await crawl(${place()}, { ...${options}, logger })).done;
      print(messages.some(([level, message]) => level === 'info' && message.includes('indexed [2]')));`;
    expect(await printedBy(lines)).toBe(true);
  });

  test('reads no settings from the environment, but placeholders', async () => {
    const env = {
      CRAWLER_FS_EXCLUDES: '*',
      FSCRAWLER_FS_EXCLUDES: '*',
      CRAWLER_CONFIG_DIR: '/nonexistent',
      FS_JAVA_OPTS: '-Dfs.excludes=*',
      LOG_DIR: '/nonexistent',
      ONLY: '*/ferry.txt',
    };
    const lines = `import { crawl } from 'document-crawler';
      const counts = [];
      for (const settings of [{}, { fs: { includes: ['\${ONLY}'] } }]) {
        const { done } = await crawl(${place()}, { ...${options}, settings, restart: true });
        counts.push((await done).indexed);
      }
      print(counts);`;
    expect(await printedBy(lines, { env })).toEqual([2, 1]);
  });

  test('refuses options and settings that do not exist, by name', async () => {
    const lines = `import { crawl, openIndex, extract, openExtractor } from 'document-crawler';
      const told = (work) => work.then(() => 'none', ({ code, message }) => code + ': ' + message);
      const o = ${options};
      print(await Promise.all([
        told(crawl(${place()}, { ...o, run: 1 })),
        told(crawl(${place()}, { ...o, runs: 1.5 })),
        told(crawl(${place()}, { ...o, settings: { fs: { exclude: ['a'] } } })),
        told(crawl(${place()}, { ...o, settings: { fs: 'x', engine: { bulk_size: {} } } })),
        told(openIndex(${place()}, { ...o, config_dir: '' })),
        told(extract('README.md', { password: 'x' })),
        told(openExtractor({ limits: { time: 1 } })),
      ]));`;
    const found = (await printedBy(lines)) as string[];
    expect(found).toEqual([
      'usage: [run] is not an option of crawl. Did you mean [runs]?',
      'usage: [1.5] is not a number of runs. Give a whole number, or -1 to run without end.',
      expect.stringMatching(/^settings_invalid: [^]*settings: fs.exclude is not a setting. Did you mean fs.excludes\?/),
      expect.stringMatching(
        /engine.bulk_size must be a text, a number, a boolean, or a list of them.[^]*fs must be an object of settings./,
      ),
      'usage: [config_dir] is not an option of openIndex. Did you mean [configDir]?',
      'usage: [password] is not an option of extract. Did you mean [passwords]?',
      expect.stringContaining('usage: [time] is not an option of limits. It takes: timeMs, memoryBytes, '),
    ]);
    expect(readdirSync(folder)).toEqual(['documents']);
  });

  test('every call ends with its signal', async () => {
    const lines = `import { crawl, openIndex, extract } from 'document-crawler'; ${CODE}
      const signal = AbortSignal.abort();
      await (await crawl(${place()}, ${options})).done;
      const index = await openIndex(${place()}, ${options});
      const controller = new AbortController();
      const crawling = await crawl(${place()}, { ...${options}, runs: -1, signal: controller.signal });
      controller.abort();
      const documents = async () => { for await (const _ of index.documents({ signal })); };
      const ends = [
        crawling.done, crawl(${place()}, { ...${options}, signal }), openIndex(${place()}, { ...${options}, signal }),
        extract('README.md', { signal }), index.search('x', { signal }), index.count(undefined, { signal }),
        index.get('x', { signal }), documents(),
      ];
      const codes = await Promise.all(ends.map(codeOf));
      await index.close();
      print(codes.map(([name, code]) => [name, code].join()));`;
    expect(await printedBy(lines)).toEqual(Array<string>(8).fill('CrawlerError,cancelled'));
  });

  test('works in a worker thread', async () => {
    const source = `void (async () => {
        const { crawl, extract } = await import('document-crawler');
        const { parentPort, workerData } = require('node:worker_threads');
        const { indexed } = await (await crawl(workerData.place, workerData.options)).done;
        const { text } = await extract('README.md');
        parentPort.postMessage([indexed, text.length > 100]);
      })();`;
    const lines = `import { Worker } from 'node:worker_threads';
      const workerData = { place: ${place()}, options: ${options} };
      const worker = new Worker(${JSON.stringify(source)}, { eval: true, execArgv: [], workerData });
      worker.on('message', print);`;
    expect(await printedBy(lines)).toEqual([2, true]);
  });

  test('is disposed of by await using', async () => {
    const lines = `import { crawl, openExtractor, openIndex } from 'document-crawler';
      const crawling = await crawl(${place()}, { ...${options}, runs: -1 });
      await crawling[Symbol.asyncDispose]();
      const opened = [await openIndex(${place()}, ${options}), await openExtractor()];
      for (const each of opened) await each[Symbol.asyncDispose]();
      print((await crawling.done).outcome);`;
    expect(await printedBy(lines)).toBe('stopped');
  });
});

describe('its examples', () => {
  const run = (name: string, ...args: string[]): string =>
    execFileSync(process.execPath, [join(process.cwd(), 'examples/library', name), ...args], {
      cwd: folder,
      encoding: 'utf8',
    });

  test('extract text', () => {
    const output = run('extract-text.mjs', join(documents, 'harbour.txt'), 'missing.pdf');
    expect(output).toMatch(/harbour\.txt: text\/plain.*, no title, 31 characters, 0 parts/);
    expect(output).toContain('not_found: ');
  });

  test('index, search and export', () => {
    const found = run('index-and-search.mjs', documents, 'ferry');
    expect(found).toMatch(
      /^2 documents indexed and 0 removed in \d+ ms\n1 documents found\n.*ferry\.txt\n {2}The <em>ferry/,
    );
    const lines = run('export-index.mjs', documents).trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { file: { filename: string } }).file.filename).sort()).toEqual([
      'ferry.txt',
      'harbour.txt',
    ]);
  });
});
