import { describe, expect, test } from '@jest/globals';
import { openLibrary } from './library.js';

const library = openLibrary();
const ALL = ['budget', 'empty', 'letter', 'mail', 'report', 'tokyo'];

type Row = [what: string, query: unknown, ids: string[]];

function table(rows: readonly Row[]): void {
  test.each(rows)('%s', async (_what, query, ids) => {
    expect(await library.find(query)).toEqual(ids);
  });
}

describe('match', () => {
  table([
    ['finds any of the words', { match: { content: 'budget festival' } }, ['budget', 'mail', 'tokyo']],
    ['long form', { match: { content: { query: 'budget' } } }, ['budget', 'mail']],
    ['and', { match: { content: { query: 'budget profit', operator: 'and' } } }, ['budget', 'mail']],
    ['AND in capitals', { match: { content: { query: 'annual profit', operator: 'AND' } } }, ['report']],
    [
      'a minimum of words',
      { match: { content: { query: 'budget profit plan', minimum_should_match: 3 } } },
      ['budget'],
    ],
    [
      'a minimum between one and all',
      { match: { content: { query: 'annual profit report festival', minimum_should_match: 2 } } },
      ['mail', 'report', 'tokyo'],
    ],
    [
      'a share',
      { match: { content: { query: 'annual profit report', minimum_should_match: '67%' } } },
      ['mail', 'report'],
    ],
    [
      'all but one',
      { match: { content: { query: 'annual profit report', minimum_should_match: -1 } } },
      ['mail', 'report'],
    ],
    ['ignores case and accents', { match: { content: 'PRUFUNG' } }, ['letter']],
    ['ß is ss', { match: { content: 'strasse' } }, ['report']],
    ['nothing but signs finds nothing', { match: { content: '… !?' } }, []],
    ['signs of the query language are text', { match: { content: 'budget" OR (x AND *' } }, ['budget', 'mail']],
    ['a field that no document has', { match: { 'external.nothing': 'x' } }, []],
    ['Japanese inside a run', { match: { content: '東京' } }, ['tokyo']],
    ['Japanese, a character alone', { match: { content: '京' } }, ['tokyo']],
    ['Japanese, the last character of a run', { match: { content: 'の' } }, ['tokyo']],
    ['Japanese, not in this order', { match: { content: '京東' } }, []],
    ['text with a column of its own', { match: { 'meta.title': 'annual' } }, ['report']],
    ['text of a list', { match: { 'meta.keywords': 'finance' } }, ['report']],
    ['raw metadata', { match: { 'meta.raw.dc:subject': 'meeting' } }, ['mail']],
    ['raw metadata of another name', { match: { 'meta.raw.dc:title': 'meeting' } }, []],
    ['dynamic text', { match: { 'external.project.name': 'apollo' } }, ['budget']],
    ['dynamic text too long to be exact', { match: { 'external.note': 'a'.repeat(300) } }, ['mail']],
    ['a keyword as a whole', { match: { 'file.extension': 'pdf' } }, ['report']],
    ['a word of a keyword', { match: { 'attributes.owner': 'jan' } }, []],
    ['words of a file name', { match: { 'file.filename': 'report' } }, ['report']],
    ['words of a path', { match: { 'path.virtual.fulltext': 'letters' } }, ['letter', 'tokyo']],
    ['the root of the paths', { match: { 'path.real.fulltext': 'data mail' } }, ALL],
    ['a number', { match: { 'file.filesize': 71 } }, ['letter']],
    ['a boolean', { match: { 'external.approved': true } }, ['letter']],
    ['a word for a number, leniently', { match: { 'file.filesize': { query: 'big', lenient: true } } }, []],
  ]);
});

describe('match_phrase', () => {
  table([
    ['words in order', { match_phrase: { content: 'annual report' } }, ['report']],
    ['not in another order', { match_phrase: { content: 'report annual' } }, []],
    ['not with a word between', { match_phrase: { content: 'budget for' } }, []],
    ['slop lets words stand between', { match_phrase: { content: { query: 'budget for', slop: 1 } } }, ['budget']],
    ['across a line of signs', { match_phrase: { content: 'year. Profit' } }, ['budget']],
    ['Japanese', { match_phrase: { content: '東京都に' } }, ['tokyo']],
    ['Japanese and Latin', { match_phrase: { content: '人々の annual' } }, ['tokyo']],
    ['Japanese that ends a run', { match_phrase: { content: 'の annual festival' } }, ['tokyo']],
    ['dynamic text', { match_phrase: { 'external.project.name': 'Apollo Program' } }, ['budget']],
  ]);
});

describe('match_phrase_prefix', () => {
  table([
    ['the last word is a beginning', { match_phrase_prefix: { content: 'annual rep' } }, ['report']],
    ['one word', { match_phrase_prefix: { content: 'fest' } }, ['tokyo']],
    ['dynamic text', { match_phrase_prefix: { 'external.project.name': 'apollo pro' } }, ['budget']],
  ]);
});

describe('multi_match', () => {
  table([
    ['any field', { multi_match: { query: 'jane', fields: ['content', 'meta.author'] } }, ['mail', 'report']],
    ['weights', { multi_match: { query: 'jane', fields: ['content', 'meta.author^3'] } }, ['mail', 'report']],
    ['no fields: all of them', { multi_match: { query: 'gemini' } }, ['letter']],
    ['all fields: file names', { multi_match: { query: 'board' } }, ['mail']],
    ['a pattern of fields', { multi_match: { query: 'annual', fields: ['meta.*'] } }, ['report']],
    [
      'and: all words in one field',
      { multi_match: { query: 'annual jane', fields: ['meta.title', 'meta.author'], operator: 'and' } },
      [],
    ],
    [
      'cross_fields: words anywhere',
      {
        multi_match: {
          query: 'annual jane',
          fields: ['meta.title', 'meta.author'],
          type: 'cross_fields',
          operator: 'and',
        },
      },
      ['report'],
    ],
    [
      'most_fields',
      { multi_match: { query: 'budget', fields: ['meta.title', 'content'], type: 'most_fields' } },
      ['budget', 'mail'],
    ],
    [
      'phrase',
      { multi_match: { query: 'annual report', fields: ['content', 'meta.title'], type: 'phrase' } },
      ['report'],
    ],
    ['phrase_prefix', { multi_match: { query: 'budget pl', fields: ['content'], type: 'phrase_prefix' } }, ['budget']],
    ['words and keywords', { multi_match: { query: 'pdf', fields: ['content', 'file.extension'] } }, ['report']],
    [
      'the same field with two weights',
      {
        bool: { should: [{ multi_match: { query: 'annual', fields: ['content^2'] } }, { match: { content: 'plan' } }] },
      },
      ['budget', 'report', 'tokyo'],
    ],
  ]);
});

describe('term and terms', () => {
  table([
    ['keyword', { term: { 'file.extension': 'txt' } }, ['letter', 'tokyo']],
    ['long form', { term: { 'file.extension': { value: 'txt' } } }, ['letter', 'tokyo']],
    ['keywords tell case', { term: { 'file.extension': 'TXT' } }, []],
    ['a keyword outside the main table', { term: { 'meta.language': 'de' } }, ['letter']],
    ['a whole path', { term: { 'path.virtual': '/mail/board.eml' } }, ['mail']],
    ['a folder and what is below', { term: { 'path.virtual.tree': '/letters' } }, ['letter', 'tokyo']],
    ['a folder is no beginning of a name', { term: { 'path.virtual.tree': '/lett' } }, []],
    ['a document is its own last level', { term: { 'path.real.tree': '/data/empty' } }, ['empty']],
    ['a number', { term: { 'file.filesize': 900 } }, ['mail']],
    ['a number as text', { term: { 'file.filesize': '900' } }, ['mail']],
    ['a dynamic number', { term: { 'external.project.code': 7 } }, ['budget']],
    ['a dynamic fraction', { term: { 'external.project.code': 7.5 } }, ['mail']],
    ['a boolean', { term: { 'external.approved': false } }, ['budget']],
    ['a date means the day', { term: { 'file.last_modified': '2024-03-31' } }, ['budget']],
    ['a word of a text', { term: { content: 'festival' } }, ['tokyo']],
    ['a word of a dynamic text', { term: { 'external.tags': 'draft' } }, ['budget']],
    ['the exact view of a dynamic text', { term: { 'external.project.name.keyword': 'Apollo Program' } }, ['budget']],
    ['the exact view tells case', { term: { 'external.project.name.keyword': 'apollo program' } }, []],
    ['the id', { term: { _id: 'mail' } }, ['mail']],
    ['terms', { terms: { 'file.extension': ['pdf', 'eml'] } }, ['mail', 'report']],
    ['terms of a dynamic field', { terms: { 'external.tags': ['internal', 'final'] } }, ['budget', 'letter']],
    ['terms of numbers', { terms: { 'file.filesize': [71, 52, 1] } }, ['letter', 'tokyo']],
    ['no terms', { terms: { 'file.extension': [] } }, []],
    ['terms of ids', { terms: { _id: ['mail', 'nothing'] } }, ['mail']],
    ['ids', { ids: { values: ['report', 'empty', 'nothing'] } }, ['empty', 'report']],
  ]);
});

describe('prefix and wildcard', () => {
  table([
    ['prefix of a keyword', { prefix: { 'path.virtual': '/finance/202' } }, ['budget', 'report']],
    ['prefix, long form', { prefix: { 'file.filename': { value: 'b' } } }, ['budget', 'letter', 'mail']],
    ['prefix with signs of LIKE and GLOB', { prefix: { 'path.virtual': '/%' } }, []],
    ['prefix of a word', { prefix: { content: 'fest' } }, ['tokyo']],
    ['prefix of a dynamic word', { prefix: { 'external.project.name': 'gem' } }, ['letter']],
    ['prefix beyond ASCII', { prefix: { 'file.filename': '手' } }, ['tokyo']],
    ['wildcard in the middle', { wildcard: { 'path.virtual': '/*/de/*.txt' } }, ['letter']],
    ['wildcard, one character', { wildcard: { 'file.extension': 'x?x' } }, []],
    ['wildcard, long form', { wildcard: { 'file.extension': { value: 'x?s?' } } }, ['budget']],
    ['wildcard of brackets', { wildcard: { 'file.filename': '[b]*' } }, []],
    ['wildcard without stars', { wildcard: { 'file.extension': 'eml' } }, ['mail']],
    ['an escaped star is a star', { wildcard: { 'file.filename': 'b\\*' } }, []],
    ['wildcard at the end of a word', { wildcard: { content: 'festi*' } }, ['tokyo']],
    ['wildcard outside the main table', { wildcard: { 'attributes.owner': '*an?' } }, ['report']],
  ]);
});

describe('exists', () => {
  table([
    ['a column', { exists: { field: 'file.extension' } }, ['budget', 'letter', 'mail', 'report', 'tokyo']],
    ['a text', { exists: { field: 'content' } }, ['budget', 'letter', 'mail', 'report', 'tokyo']],
    ['a dynamic field', { exists: { field: 'external.due' } }, ['budget', 'letter']],
    ['a value too long to be exact', { exists: { field: 'external.note' } }, ['mail']],
    ['an object', { exists: { field: 'external' } }, ['budget', 'letter', 'mail']],
    ['an object with known fields', { exists: { field: 'meta' } }, ['budget', 'letter', 'mail', 'report', 'tokyo']],
    ['a field that is only stored', { exists: { field: 'file.url' } }, ['report']],
    ['nothing', { exists: { field: 'external.nothing' } }, []],
  ]);
});

describe('range', () => {
  table([
    [
      'a month is its first day',
      { range: { 'file.last_modified': { gt: '2024-03' } } },
      ['budget', 'letter', 'mail', 'tokyo'],
    ],
    ['numbers', { range: { 'file.filesize': { gt: 71, lte: 2048 } } }, ['mail', 'report']],
    ['numbers as text', { range: { 'file.filesize': { gte: '2048' } } }, ['budget', 'report']],
    ['dynamic numbers', { range: { 'external.project.code': { gt: 7, lt: 12 } } }, ['mail']],
    ['dates', { range: { 'file.last_modified': { gte: '2024-01-01', lt: '2024-04-01' } } }, ['budget', 'report']],
    [
      'lte with a day means to its end',
      { range: { 'file.last_modified': { lte: '2024-03-31', gte: '2024' } } },
      ['budget', 'report'],
    ],
    [
      'gt with a day means after it',
      { range: { 'file.last_modified': { gt: '2024-03-31' } } },
      ['letter', 'mail', 'tokyo'],
    ],
    [
      'a zone',
      { range: { 'file.last_modified': { gte: '2024-04-01', time_zone: '+02:00' } } },
      ['budget', 'letter', 'mail', 'tokyo'],
    ],
    [
      'date math',
      { range: { 'file.last_modified': { gte: '2024-01-15||+1M/M', lt: '2024-01-15||+4M/M' } } },
      ['budget', 'letter'],
    ],
    ['now', { range: { 'file.last_modified': { gt: 'now' } } }, []],
    ['now with steps', { range: { 'file.last_modified': { gte: 'now-100y/y', lte: 'now/d' } } }, ALL],
    ['dynamic dates', { range: { 'external.due': { gte: '2024-07' } } }, ['letter']],
    ['texts', { range: { 'file.extension': { gte: 'pdf', lt: 'txt' } } }, ['report']],
    ['no bounds is exists', { range: { 'external.due': {} } }, ['budget', 'letter']],
    ['a field that no document has', { range: { 'external.nothing': { gt: 1 } } }, []],
  ]);
});

describe('bool and the rest', () => {
  table([
    ['must', { bool: { must: [{ match: { content: 'budget' } }, { match: { content: 'report' } }] } }, ['mail']],
    ['one clause without a list', { bool: { must: { match: { content: 'festival' } } } }, ['tokyo']],
    ['filter', { bool: { filter: [{ term: { 'file.extension': 'txt' } }] } }, ['letter', 'tokyo']],
    [
      'must and filter',
      { bool: { must: { match: { content: 'annual' } }, filter: { range: { 'file.filesize': { gt: 100 } } } } },
      ['report'],
    ],
    [
      'filter of words',
      { bool: { filter: [{ match: { content: 'profit' } }, { match: { content: 'board' } }] } },
      ['mail'],
    ],
    ['must_not alone', { bool: { must_not: { exists: { field: 'file.extension' } } } }, ['empty']],
    [
      'must_not of words',
      { bool: { must: { match: { content: 'annual' } }, must_not: { match: { content: 'profit' } } } },
      ['tokyo'],
    ],
    [
      'must_not of values',
      { bool: { must: { match: { content: 'annual' } }, must_not: { term: { 'file.extension': 'pdf' } } } },
      ['tokyo'],
    ],
    [
      'should alone needs one',
      { bool: { should: [{ term: { 'file.extension': 'pdf' } }, { match: { content: 'festival' } }] } },
      ['report', 'tokyo'],
    ],
    [
      'should beside must needs none',
      { bool: { must: { match: { content: 'annual' } }, should: { match: { content: 'festival' } } } },
      ['report', 'tokyo'],
    ],
    [
      'should beside filter needs none',
      { bool: { filter: { term: { 'file.extension': 'txt' } }, should: { match: { content: 'festival' } } } },
      ['letter', 'tokyo'],
    ],
    [
      'a minimum beside filter',
      {
        bool: {
          filter: { term: { 'file.extension': 'txt' } },
          should: { match: { content: 'festival' } },
          minimum_should_match: 1,
        },
      },
      ['tokyo'],
    ],
    [
      'two of three',
      {
        bool: {
          should: [
            { match: { content: 'profit' } },
            { term: { 'file.extension': 'eml' } },
            { match: { content: 'annual' } },
          ],
          minimum_should_match: 2,
        },
      },
      ['mail', 'report'],
    ],
    ['empty', { bool: {} }, ALL],
    [
      'nested',
      {
        bool: {
          must_not: { bool: { should: [{ match: { content: 'profit' } }, { term: { 'file.extension': 'txt' } }] } },
        },
      },
      ['empty'],
    ],
    ['constant_score', { constant_score: { filter: { match: { content: 'festival' } }, boost: 2 } }, ['tokyo']],
    ['match_all', { match_all: {} }, ALL],
    ['match_none', { match_none: {} }, []],
  ]);
});

describe('query_string', () => {
  const qs = (query: string, options: object = {}): unknown => ({ query_string: { query, ...options } });
  table([
    ['words', qs('festival apollo'), ['budget', 'tokyo']],
    ['default operator', qs('annual festival', { default_operator: 'AND' }), ['tokyo']],
    ['words in different fields', qs('jane annual', { default_operator: 'and' }), ['report']],
    ['default field', qs('budget', { default_field: 'meta.title' }), ['budget']],
    ['fields', qs('jane', { fields: ['meta.author', 'content^2'] }), ['mail', 'report']],
    ['AND', qs('annual AND profit'), ['report']],
    ['OR', qs('festival OR gemini'), ['letter', 'tokyo']],
    ['NOT', qs('annual NOT profit'), ['tokyo']],
    ['&& || !', qs('(annual && !profit) || gemini'), ['letter', 'tokyo']],
    ['plus and minus', qs('+annual -festival'), ['report']],
    ['lower case and is a word', qs('and', { default_field: 'content' }), ['budget']],
    ['AND binds what stands beside it', qs('gemini annual AND profit'), ['report']],
    ['parentheses', qs('annual AND (festival OR profit)'), ['report', 'tokyo']],
    ['only NOT', qs('NOT _exists_:file.extension'), ['empty']],
    ['phrase', qs('"annual report"', { default_field: 'content' }), ['report']],
    ['phrase with slop', qs('"budget next"~3', { default_field: 'content' }), ['budget']],
    ['prefix', qs('fest*'), ['tokyo']],
    ['field', qs('file.extension:pdf'), ['report']],
    ['field with a group', qs('file.extension:(pdf OR eml)'), ['mail', 'report']],
    ['field with a phrase', qs('meta.title:"annual report"'), ['report']],
    ['field with a prefix', qs('path.virtual:\\/letters\\/*'), ['letter', 'tokyo']],
    ['field with an escaped colon', qs('meta.raw.dc\\:subject:board'), ['mail']],
    ['every document with a field', qs('external.due:*'), ['budget', 'letter']],
    ['everything', qs('*:*'), ALL],
    ['a star', qs('*'), ALL],
    ['range', qs('file.filesize:[52 TO 71]'), ['letter', 'tokyo']],
    ['range without its ends', qs('file.filesize:{52 TO 900}'), ['letter']],
    ['range of dates', qs('file.last_modified:[2024-04-01T00:00:00Z TO *]'), ['letter', 'mail', 'tokyo']],
    ['comparison', qs('file.filesize:>=2048'), ['budget', 'report']],
    ['comparison with a quoted date', qs('file.last_modified:<"2024-01-01"'), ['empty']],
    ['boost', qs('festival^2 gemini'), ['letter', 'tokyo']],
    ['wildcard of a keyword', qs('file.filename:b*d.eml'), ['mail']],
    ['nothing', qs(''), []],
    ['a dotted word is a phrase', qs('brief.txt', { default_field: 'file.filename' }), ['letter']],
  ]);
});

describe('simple_query_string', () => {
  const sqs = (query: string, options: object = {}): unknown => ({ simple_query_string: { query, ...options } });
  table([
    ['words', sqs('festival gemini'), ['letter', 'tokyo']],
    ['default operator', sqs('annual festival', { default_operator: 'and' }), ['tokyo']],
    ['plus', sqs('annual + profit'), ['report']],
    ['bar', sqs('festival | gemini'), ['letter', 'tokyo']],
    ['minus with and', sqs('annual -festival', { default_operator: 'and' }), ['report']],
    ['minus with or finds all without', sqs('gemini -profit'), ['empty', 'letter', 'tokyo']],
    ['parentheses', sqs('annual + (festival | profit)'), ['report', 'tokyo']],
    ['from left to right', sqs('gemini | annual + profit'), ['report']],
    ['phrase', sqs('"annual report"', { fields: ['content'] }), ['report']],
    ['phrase with slop', sqs('"budget next"~3', { fields: ['content'] }), ['budget']],
    ['prefix', sqs('fest*'), ['tokyo']],
    ['fields', sqs('jane', { fields: ['meta.author'] }), ['report']],
    ['escaped', sqs('\\-festival'), ['tokyo']],
    ['broken syntax is text', sqs('"festival (( + | AND'), ['budget', 'tokyo']],
    ['nothing', sqs('  '), []],
  ]);
});
