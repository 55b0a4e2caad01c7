import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { settingRows } from '../../src/settings/setting-table.js';

/**
 * Words that were given up, and what is written instead. They count in identifiers, comments, messages and the names of
 * files of src/, and on every page. docs/glossary.md has the terms that hold.
 */
const GIVEN_UP: readonly (readonly [word: RegExp, instead: string])[] = [
  // Names.
  [/\bLooks?[A-Z]\w*|\w[a-z]Looks?\b|\bLooks\b(?! (?:after|at|for|into|like|up|with))/, 'PartialScan(s)'],
  [/\b(?:a|A|each|every|next|one|quick|short|the) looks?\b|\blast_look\b|\blooks:/, 'partial scan, check'],
  [/\bHints\b/, 'PendingChanges'],
  [/\bsettling\b|FileSight|SweptPart/i, 'write stability, FileStat, UnwatchedPath'],
  [/\bTally\b/, 'ScanCounters'],
  [/\bscan-?rates?\b/i, 'throughput'],
  [/\bSlots\b|\bLanes?\b/, 'Semaphore, ConcurrencyLimiter'],
  [/EngineGate|IngestPort|\bAllowance\b/, 'EngineConnection, ScanHost, ResourceBudget'],
  [/Hindrance|RetryRhythm|patience/i, 'RetryCause, BackoffPolicy, timeout'],
  [/\bupkeep\b/i, 'maintenance'],
  [/damage-mark|damaged-content|DamagedContent|damageOf|(?:is|on|mark)\w*Damage/, 'corruption'],
  [/\bGrammars?\b|\bWritten(?:Map|List)\b|: Written\b/, 'SettingType, RawValue'],
  [/oddit(?:y|ies)/i, 'warnings'],
  [/engine-?facade|HttpDoor|census/i, 'elasticsearch-api, HttpRequestOptions, estimate'],
  [/\bwish(?:es|ed)?\b/i, 'options'],
  [/\bdesk\b|RecognitionDesk|lonely/i, 'OcrScheduler'],
  [/salvage|lastWords|last-words|outbox/i, 'recover, PartialResult, stderrTail, ResponseBuffer'],
  [/parent-?guard|\bSuspects\b/, 'exit-with-parent, CrashCounter'],
  [/TikaQuestions|TikaKnowledge|LastTika/, 'TikaRequests, TikaServerInfo, TikaVersionStore'],
  // One name for two things.
  [/\b\w*Verdict\b/, 'SelectionResult, PathSelection, RetryDecision'],
  [/\b\w*Standing\b/, 'PathStatus, RunSummary'],
  [/\b\w*Refusal\b/, 'RequestRejection, FtpReplyKind, S3ErrorReply, SftpStatusError'],
  [/\b[A-Z][a-z]\w*Place\b/, 'the thing that has the place: JobContext, DocumentLocation'],
  // Sentences.
  [/\bcan not\b/i, 'cannot'],
  [/\bgo(?:es)? on\b|\bwent on\b/, 'continues, resumes'],
  [/\bat work\b/, 'running'],
  [/(?<!\bto )\btrue to\b/, 'in sync with'],
  [/\bmend(?:er|s|ed|ing)?\b/i, 'repair'],
  [/beyond all measure/, 'unusually large'],
  [/\bfloors\b|\brooms\b|\b(?:has|make) room\b|\bhouses?\b/i, 'layer, module; free space'],
  [/\basks? nobody\b|at home at once|the way of one file/i, 'requires no …, drop-in, data flow'],
  [/\b(?:is|are|be|was|were) told\b(?! (?:apart|from))/, 'is reported, is recognised, gets'],
];

/** Lines that keep such a word. */
const ALLOWED: readonly (readonly [path: string, line: string, why: string])[] = [
  ...[
    ['src/rest/document-result.ts', '`Can not remove document ['],
    ['src/rest/document-result.ts', ': Can not remove document ${index}/${id} cause: NOT_FOUND`'],
    ['src/rest/document-result.ts', '`Can not index document ['],
    ['src/rest/routes/documents.ts', "'We can not delete a document without an id or a filename."],
    ['src/source/ftp/ftp-login.ts', '`Can not connect to ${user}@${host}:${port}'],
    ['src/source/ftp/ftp-fault.ts', '`Can not connect to ${server.user}@${server.host}:${server.port}`'],
    ['src/source/http/http-request.ts', '`Can not open stream for ${shown('],
    ['src/source/s3/s3-fetch.ts', '`Can not get file size for object ${object}'],
    ['src/settings/validation.ts', "'Can not support both xml and json parsing. Disabling crawler'"],
    ['src/settings/report.ts', '`Can not load settings. Please make sure'],
    ['src/ingest/document-builder.ts', '`Can not parse meta ['],
  ].map(([path = '', line = '']) => [path, line, 'a message of FSCrawler, word for word'] as const),
  ['src/rest/routes/crawler.ts', 'looks: watch.partialScans', 'a member of the status resource'],
  ['src/rest/routes/crawler.ts', 'last_look: localTime(', 'a member of the status resource'],
  ['CHANGELOG.md', '`mended` in', 'the old name of a key, for those who read it'],
  ['docs/openapi.yaml', 'last_look', 'a member of the status resource'],
  ['docs/openapi.yaml', 'looks: { type: integer }', 'a member of the status resource'],
];

const listed = (folder: string, type: RegExp): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => type.test(name))
    .map((name) => join(folder, name));

const FILES = [
  ...listed('src', /\.ts$/),
  ...listed('docs', /\.(?:md|yaml)$/),
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'],
];

interface Use {
  readonly at: string;
  readonly path: string;
  readonly line: string;
  readonly instead: string;
}

function* usesIn(path: string, text: string): Generator<Use> {
  for (const [number, line] of [path, ...text.split('\n')].entries()) {
    for (const [word, instead] of GIVEN_UP) {
      if (word.test(line)) yield { at: `${path}:${number}`, path, line: line.trim(), instead };
    }
  }
}

const isAllowed = ({ path, line }: Use, [where, part]: (typeof ALLOWED)[number]): boolean =>
  path === where && line.includes(part);

describe('words that were given up', () => {
  const uses = FILES.flatMap((path) => [...usesIn(path, readFileSync(path, 'utf8'))]);

  test('stand nowhere in src/ and on the pages', () => {
    const wrong = uses.filter((use) => !ALLOWED.some((allowed) => isAllowed(use, allowed)));
    expect(wrong.map(({ at, line, instead }) => `${at}: write [${instead}] in [${line.slice(0, 120)}]`)).toEqual([]);
  });

  test('stand where they are allowed', () => {
    const idle = ALLOWED.filter((allowed) => !uses.some((use) => isAllowed(use, allowed)));
    expect(idle.map(([path, line]) => `${path}: ${line}`)).toEqual([]);
  });

  test.each([
    ['an identifier', 'const looks = new Looks(deps);'],
    ['a type', 'export type BulkVerdict = string;'],
    ['a comment', '/** The tree can not be listed. */'],
    ['a message', "throw new Error('The crawl goes on where it was.');"],
    ['another message', '`The REST service asks nobody for a key`'],
  ])('are noticed in %s', (_where, line) => {
    expect([...usesIn('src/x.ts', line)]).toHaveLength(1);
  });

  test('are noticed in the name of a file', () => {
    expect([...usesIn('src/engine/embedded/writer/upkeep.ts', '')]).toHaveLength(1);
  });
});

describe('the glossary', () => {
  const page = readFileSync('docs/glossary.md', 'utf8');
  const terms = [...page.matchAll(/^\| ([a-z][a-z ]*?|OCR) +\| /gm)].map(([, term = '']) => term);
  const defined = terms.filter((term) => term !== 'term');

  test('has each term once', () => {
    expect(defined.length).toBeGreaterThan(30);
    expect(defined.filter((term, at) => defined.indexOf(term) !== at)).toEqual([]);
  });

  test('has the nouns of the program', () => {
    const nouns = ['job', 'source', 'run', 'scan', 'partial scan', 'catalog', 'checkpoint', 'reason', 'standing'];
    expect(defined).toEqual(expect.arrayContaining([...nouns, 'extractor', 'engine', 'index', 'document', 'upload']));
  });

  test('names settings and folders that exist', () => {
    const settings = new Set(settingRows.map(({ path }) => path));
    const named = [...page.matchAll(/`(fs\.\w+)`/g)].map(([, path = '']) => path);
    expect(named.filter((path) => !settings.has(path))).toEqual([]);
    const folders = [...page.matchAll(/`(src\/[\w/]*)`/g)].map(([, path = '']) => path);
    expect(folders.filter((path) => !existsSync(path))).toEqual([]);
  });
});
