import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { SearchEngine } from '../../src/engine/engine.js';
import { searchFields } from '../../src/engine/search-fields.js';
import { DocumentTexts } from '../../src/search/document-text.js';
import { Facets, facetNames } from '../../src/search/facets.js';
import { everything, type FindRequest } from '../../src/search/find-request.js';
import { IndexSearch } from '../../src/search/index-search.js';
import { sortOrders } from '../../src/search/sort-order.js';
import { suggest } from '../../src/search/suggestions.js';

/** What people ask of an index (docs/search.md): the same answers over every engine. */
const SIGNAL = new AbortController().signal;
const RUN = Date.now().toString(36);
const NOW = Date.parse('2026-11-22T12:00:00Z');

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

const PAGES = ['The lighthouse keeper wrote.\n', 'A second page about fog.\n', 'The keeper, once more.'];
const HANDBOOK = PAGES.join('\n');

const DOCUMENTS: Readonly<Record<string, object>> = {
  handbook: {
    content: HANDBOOK,
    pages: [0, PAGES[0]!.length + 1, PAGES[0]!.length + PAGES[1]!.length + 2],
    file: file('Handbook 2026.pdf', 'application/pdf', 2_000_000, '2026-11-20T08:00:00.000Z'),
    path: place('/books/Handbook 2026.pdf', 'books'),
    meta: { title: 'The keeper', author: 'Ann Lee', language: 'en' },
  },
  notes: {
    content: 'Notes of the keeper: <em>buy</em> oil & wicks',
    file: file('notes.txt', 'text/plain; charset=UTF-8', 400, '2024-03-31T23:30:00.000Z'),
    path: place('/books/drafts/notes.txt', 'drafts'),
    meta: { author: 'Bo', language: 'en-GB' },
    external: { team: 'harbour' },
  },
  letter: {
    content: 'Dear harbour master, the fog horn is broken.',
    file: file('letter.eml', 'message/rfc822', 150_000, '2020-01-01T00:00:00.000Z'),
    path: place('/mail/letter.eml', 'mail'),
    meta: { author: 'Ann Lee', language: 'de' },
  },
  locked: {
    content: '',
    file: { ...file('locked.docx', DOCX, 30_000, '2026-11-21T00:00:00.000Z'), problem: 'encrypted' },
    path: place('/locked.docx', 'root'),
  },
  upload: { content: 'fog', file: file('sent.html', 'text/html', 10, '2026-11-22T00:00:00.000Z') },
};

const FOLDERS: Readonly<Record<string, object>> = {
  root: { path: { virtual: '/', root: 'above' } },
  books: { path: { virtual: '/books', root: 'root' } },
  mail: { path: { virtual: '/mail', root: 'root' } },
  drafts: { path: { virtual: '/books/drafts', root: 'books' } },
};

function file(filename: string, content_type: string, filesize: number, last_modified: string): object {
  const extension = filename.slice(filename.lastIndexOf('.') + 1);
  return { filename, extension, content_type, filesize, last_modified, indexing_date: '2026-11-22T00:00:00.000Z' };
}

function place(virtual: string, root: string): object {
  return { virtual, root, real: `/data${virtual}` };
}

export function findContract(name: string, open: (index: string) => Promise<SearchEngine>): void {
  describe(`searches for people over ${name}`, () => {
    const index = `contract-${RUN}-find`;
    const folderIndex = `contract-${RUN}-find-folders`;
    const bench = {} as { engine: SearchEngine; search: IndexSearch };

    beforeAll(async () => {
      bench.engine = await open(index);
      await bench.engine.prepare(SIGNAL);
      bench.search = new IndexSearch({ engine: bench.engine, index, searchFields: searchFields('text') });
      const operations = [
        ...Object.entries(DOCUMENTS).map(([id, document]) => ({ index, id, document })),
        ...Object.entries(FOLDERS).map(([id, document]) => ({ index: folderIndex, id, document })),
      ].map((operation) => ({ kind: 'index' as const, ...operation, document: { ...operation.document } }));
      for (const outcome of await bench.engine.write(operations, SIGNAL)) expect(outcome).toMatchObject({ ok: true });
    });
    afterAll(() => bench.engine.close());

    const found = async (request: Partial<FindRequest>): Promise<string[]> => {
      const { hits } = await bench.search.find({ ...everything, ...request }, { size: 50 }, SIGNAL);
      return hits.map(({ id }) => id).sort();
    };

    test.each([
      ['', 'handbook letter locked notes upload'],
      ['*', 'handbook letter locked notes upload'],
      ['keeper', 'handbook notes'],
      ['KEEPER', 'handbook notes'],
      ['keeper fog', 'handbook'],
      ['keeper AND fog', 'handbook'],
      ['keeper | horn', 'handbook letter notes'],
      ['keeper OR horn', 'handbook letter notes'],
      ['"fog horn"', 'letter'],
      ['"horn fog"', ''],
      ['light*', 'handbook'],
      ['keepar~', 'handbook notes'],
      ['fog -keeper', 'letter upload'],
      ['fog NOT keeper', 'letter upload'],
      ['keeper - fog', 'handbook'],
      ['(oil | horn) (keeper | broken)', 'letter notes'],
      ['type:pdf', 'handbook'],
      ['type:(pdf | mail)', 'handbook letter'],
      ['-type:pdf keeper', 'notes'],
      ['type:document', 'locked'],
      ['type:text', 'notes'],
      ['type:web', 'upload'],
      ['type:text/*', 'notes upload'],
      ['in:books', 'handbook notes'],
      ['in:/books/drafts/', 'notes'],
      ['in:book', ''],
      ['author:ann', 'handbook letter'],
      ['author:"ann lee" keeper', 'handbook'],
      ['after:2026', 'handbook locked upload'],
      ['after:2024-03-31 before:2026-11-21', 'handbook notes'],
      ['before:2024', 'letter'],
      ['name:handbook', 'handbook'],
      ['name:notes.txt', 'notes'],
      ['name:"handbook 2026"', 'handbook'],
      ['ext:PDF', 'handbook'],
      ['ext:.eml', 'letter'],
      ['lang:en', 'handbook notes'],
      ['lang:en-gb', 'notes'],
      ['file.filesize:[100 TO 1000]', 'notes'],
      ['file.filesize:>=150000', 'handbook letter'],
      ['path.real:"/data/mail/letter.eml"', 'letter'],
      ['external.team:harbour', 'notes'],
      ['_exists_:file.problem', 'locked'],
      ['fog type:mail | oil', 'letter notes'],
    ])('%s finds %s', async (q, ids) => {
      expect((await found({ q })).join(' ')).toBe(ids);
    });

    test.each([
      ['typ:pdf', /There is no field \[typ:\]\. Did you mean \[type:\]\?.*"typ:…"/],
      ['file.filesise:1', /Did you mean \[file\.filesize:\]\?/],
      ['zzzzzz:1', /Short names are type: in: author:/],
      ['type:pfd', /There is no type \[pfd\]\. Did you mean \[pdf\]\?/],
      ['after:2024-13', /\[2024-13\] is no date for \[after:\]/],
      ['after:[2024 TO 2025]', /\[after:\] takes words, no range/],
      ['"fog', /The quotation mark at character 1 of the search is not closed/],
      ['fog (a', /The parenthesis at character 5 of the search is not closed/],
      ['fog)', /The parenthesis at character 4 of the search has no opening one/],
      ['name:"fog', /The quotation mark at character 6/],
    ])('%s is refused with a sentence', async (q, sentence) => {
      await expect(found({ q })).rejects.toMatchObject({ code: 'corrupt', message: expect.stringMatching(sentence) });
    });

    test.each<[FindRequest['filters'], string]>([
      [{ folder: ['/books'] }, 'handbook notes'],
      [{ folder: ['/books/drafts', '/mail'] }, 'letter notes'],
      [{ type: ['pdf', 'mail'], author: ['Ann Lee'] }, 'handbook letter'],
      [{ ext: ['txt'] }, 'notes'],
      [{ language: ['en'] }, 'handbook'],
      [{ problem: ['encrypted'] }, 'locked'],
      [{ tag: ['external.team:harbour'] }, 'notes'],
      [{ modified_from: ['2026-11-21'], modified_to: ['2026-11-21'] }, 'locked'],
      [{ modified_to: ['2024-03-31'] }, 'letter notes'],
      [{ modified_to: ['2024'] }, 'letter notes'],
      [{ size_from: ['400'], size_to: ['30000'] }, 'locked notes'],
    ])('the filter %j finds %s', async (filters, ids) => {
      expect((await found({ filters })).join(' ')).toBe(ids);
    });

    test('any of the words, and words in names only', async () => {
      expect(await found({ q: 'keeper horn', any: true })).toEqual(['handbook', 'letter', 'notes']);
      expect(await found({ q: 'keeper', in: 'name' })).toEqual([]);
      expect(await found({ q: 'books', in: 'name' })).toEqual(['handbook', 'notes']);
    });

    test.each(sortOrders)('pages in the order [%s] follow each other without a gap', async (sort) => {
      const whole = await bench.search.find({ ...everything, sort }, { size: 50 }, SIGNAL);
      const ids: string[] = [];
      let after: string | undefined;
      do {
        const start = after === undefined ? {} : { start: { after } };
        const page = await bench.search.find({ ...everything, sort }, { size: 2, ...start }, SIGNAL);
        expect([page.total, page.total_relation]).toEqual([5, 'eq']);
        ids.push(...page.hits.map(({ id }) => id));
        after = page.next ?? undefined;
      } while (after !== undefined);
      expect(ids).toEqual(whole.hits.map(({ id }) => id));
      expect([...ids].sort()).toEqual(Object.keys(DOCUMENTS).sort());
    });

    test.each([
      ['newest', 'upload locked handbook notes letter'],
      ['oldest', 'letter notes handbook locked upload'],
      ['largest', 'handbook letter locked notes upload'],
      ['name', 'handbook letter locked notes upload'],
    ] as const)('the order [%s] is %s', async (sort, ids) => {
      const { hits } = await bench.search.find({ ...everything, sort }, { size: 50 }, SIGNAL);
      expect(hits.map(({ id }) => id).join(' ')).toBe(ids);
    });

    test('a cursor of another search is refused', async () => {
      const { next } = await bench.search.find({ ...everything, q: 'fog' }, { size: 1 }, SIGNAL);
      const start = { after: next ?? '' };
      const sentence = { message: expect.stringContaining('is not one of this search') };
      await expect(bench.search.find({ ...everything, q: 'oil' }, { size: 1, start }, SIGNAL)).rejects.toMatchObject(
        sentence,
      );
      const broken = { start: { after: 'e30' }, size: 1 };
      await expect(bench.search.find(everything, broken, SIGNAL)).rejects.toMatchObject(sentence);
    });

    test('counting ends at a limit', async () => {
      const counted = await bench.search.find(everything, { size: 1, count: 3 }, SIGNAL);
      expect([counted.total, counted.total_relation]).toEqual([3, 'gte']);
      const exact = await bench.search.find(everything, { size: 1, count: 'exact' }, SIGNAL);
      expect([exact.total, exact.total_relation]).toEqual([5, 'eq']);
    });

    test('a hit has what a list shows, and passages with their pages', async () => {
      const { hits } = await bench.search.find({ ...everything, q: 'fog' }, { size: 5 }, SIGNAL);
      const handbook = hits.find(({ id }) => id === 'handbook');
      expect(handbook).toMatchObject({
        name: 'Handbook 2026.pdf',
        title: 'The keeper',
        folder: '/books',
        path: '/data/books/Handbook 2026.pdf',
        type: 'pdf',
        size: 2_000_000,
        author: 'Ann Lee',
        language: 'en',
        problem: null,
        origin: 'crawl',
        pages: 3,
      });
      const [snippet] = handbook?.snippets ?? [];
      expect(snippet?.page).toBe(2);
      expect(snippet?.segments[1]).toBe('fog');
      expect(HANDBOOK.slice(snippet?.at ?? -1)).toMatch(new RegExp(`^${snippet?.segments.join('').slice(0, 10)}`));
      expect(hits.find(({ id }) => id === 'upload')).toMatchObject({ origin: 'upload', folder: null, pages: null });
    });

    test('signs of the text are text, and no mark can be forged', async () => {
      const { hits } = await bench.search.find({ ...everything, q: 'wicks' }, { size: 5 }, SIGNAL);
      const segments = hits[0]?.snippets[0]?.segments ?? [];
      expect(segments.join('')).toContain('<em>buy</em> oil & wicks');
      expect(segments.filter((_, at) => at % 2 === 1)).toEqual(['wicks']);
    });

    test('facets count what is found, and not their own selection', async () => {
      const facets = new Facets(bench.search);
      const tagFields = ['external.nobody', 'external.team'];
      const options = { names: facetNames, size: 20, folderIndex, tagFields, nowMs: NOW };
      const counts = async (request: Partial<FindRequest>): Promise<Record<string, Record<string, number>>> => {
        const answer = await facets.count({ ...everything, ...request }, options, SIGNAL);
        const named = Object.entries(answer.facets).map(([name, values]) => {
          return [name, Object.fromEntries(values.map(({ value, count }) => [value, count]))] as const;
        });
        return Object.fromEntries(named);
      };
      const all = await counts({});
      expect(all).toMatchObject({
        folder: { '/books': 2, '/mail': 1 },
        type: { pdf: 1, mail: 1, text: 1, web: 1, document: 1 },
        modified: { '1d': 2, '7d': 3, '30d': 3, '1y': 3, older: 2 },
        size: { under_100kb: 3, '100kb_1mb': 1, '1mb_10mb': 1 },
        ext: { pdf: 1, eml: 1, txt: 1, html: 1, docx: 1 },
        language: { en: 1, 'en-GB': 1, de: 1 },
        problem: { encrypted: 1 },
        tag: { 'external.team:harbour': 1 },
      });
      const chosen = await counts({ q: 'keeper', filters: { type: ['pdf'], folder: ['/books'] } });
      expect(chosen['type']).toEqual({ pdf: 1, text: 1 });
      expect(chosen['ext']).toEqual({ pdf: 1 });
      expect((await counts({ filters: { tag: ['external.team:none'] } }))['tag']).toEqual({
        'external.team:harbour': 1,
      });
      expect((await counts({ filters: { folder: ['/books'] } }))['folder']).toEqual({ '/books/drafts': 1 });
    });

    test('without an index of folders they are not counted', async () => {
      const options = { names: ['folder'] as const, size: 20, folderIndex: undefined, tagFields: [], nowMs: NOW };
      const answer = await new Facets(bench.search).count(everything, options, SIGNAL);
      expect([answer.facets, answer.unavailable]).toEqual([{}, ['folder']]);
    });

    test('0 hits: the word that is missing, and what asks for less', async () => {
      const request: FindRequest = { ...everything, q: 'keeper submarine', filters: { type: ['pdf'] } };
      expect(await suggest(bench.search, request, SIGNAL)).toEqual({
        words: [
          { word: 'keeper', total: 2 },
          { word: 'submarine', total: 0 },
        ],
        relaxed: [{ change: 'any', query: 'q=keeper+submarine&any=true&type=pdf', total: 1 }],
      });
      expect((await suggest(bench.search, { ...everything, q: 'keep' }, SIGNAL)).relaxed).toContainEqual({
        change: 'prefix',
        query: 'q=keep*',
        total: 2,
      });
    });

    test('0 hits: a word as documents spell it', async () => {
      const relaxed = async (request: Partial<FindRequest>): Promise<unknown> =>
        (await suggest(bench.search, { ...everything, ...request }, SIGNAL)).relaxed;
      expect(await relaxed({ q: 'keepre' })).toEqual([{ change: 'spelling', query: 'q=keeper', total: 2 }]);
      expect(await relaxed({ q: 'the keepre', filters: { type: ['pdf'] } })).toContainEqual({
        change: 'spelling',
        query: 'q=the+keeper&type=pdf',
        total: expect.any(Number),
      });
      // A phrase stands as it was typed.
      expect(await relaxed({ q: '"keepre"' })).toEqual([]);
    });

    test('white space around a text moves no mark', async () => {
      const other = `${index}-blank`;
      const document = { content: '\n\n The keeper.\n' };
      await bench.engine.write([{ kind: 'index', index: other, id: 'a', document }], SIGNAL);
      const stored = await bench.engine.get(other, 'a', SIGNAL);
      const window = await new DocumentTexts(bench.search).window(stored!, 'keeper', { from: 0, length: 99 }, SIGNAL);
      expect(window.blocks.map(({ segments }) => segments)).toEqual([['\n\n The ', 'keeper', '.\n']]);
    });

    test('the text of a document by pages, with its marks', async () => {
      const texts = new DocumentTexts(bench.search);
      const stored = await bench.engine.get(index, 'handbook', SIGNAL);
      const second = await texts.window(stored!, 'keeper fog', { page: 2, pages: 1 }, SIGNAL);
      expect(second).toMatchObject({
        characters: HANDBOOK.length,
        pages: 3,
        marks: {
          total: 3,
          complete: true,
          by_page: [
            [1, 1],
            [2, 1],
            [3, 1],
          ],
        },
        previous: { page: 1 },
        next: { page: 3 },
      });
      expect(second.blocks).toEqual([
        { page: 2, from: PAGES[0]!.length + 1, segments: ['A second page about ', 'fog', '.\n\n'] },
      ]);
      const whole = await texts.window(stored!, '', { page: 1, pages: 20 }, SIGNAL);
      expect(whole.blocks.map(({ segments }) => segments.join('')).join('')).toBe(HANDBOOK);
      expect([whole.previous, whole.next, whole.marks.total]).toEqual([null, null, 0]);
    });

    test('the passages of a document', async () => {
      const texts = new DocumentTexts(bench.search);
      const stored = await bench.engine.get(index, 'handbook', SIGNAL);
      const { passages, total } = await texts.passages(stored!, 'keeper type:pdf', { size: 1, from: 1 }, SIGNAL);
      expect(total).toBe(2);
      expect(passages).toEqual([
        {
          page: 3,
          at: HANDBOOK.lastIndexOf('keeper'),
          segments: [expect.stringMatching(/The $/), 'keeper', ', once more.'],
        },
      ]);
    });

    test('an index that does not exist yet holds nothing', async () => {
      const search = new IndexSearch({
        engine: bench.engine,
        index: `contract-${RUN}-none`,
        searchFields: ['content'],
      });
      expect(await search.find({ ...everything, q: 'fog' }, { size: 5 }, SIGNAL)).toMatchObject({ total: 0, hits: [] });
    });
  });
}
