import { reasons } from '../../../model/reason.js';
import type { ExtractedMember, Extraction, ExtractionOptions, Metadata } from '../../extraction.js';
import {
  LONGEST_METADATA_VALUE,
  MOST_METADATA_KEYS,
  MOST_METADATA_VALUES,
  MOST_PAGES,
  MOST_WARNINGS,
  mostCharacters,
  type DocumentLimits,
} from '../../limits.js';
import {
  checkedBoolean,
  checkedInteger,
  checkedKey,
  checkedList,
  checkedObject,
  checkedString,
  invalid,
  parsedObject,
} from './checked.js';
import { mostBase64Characters, mostContainers } from './answer-limits.js';
import type { ExtractionBytes } from './messages.js';

/**
 * Rebuilds an extraction from what a process has sent, field by field. A document may have taken control of the process, so
 * anything that the program itself would not have sent is rejected.
 * @throws CrawlerError `corrupt`, with what is wrong
 */
export function checkedExtraction(
  { facts, text, source }: ExtractionBytes,
  options: ExtractionOptions,
  limits: DocumentLimits,
): Extraction {
  const content = text.toString();
  if (content.length > mostCharacters(options, limits)) throw invalid(`the text has ${content.length} characters`);
  const values = parsedFacts(facts, limits);
  const { pages, contentType, metadata, members, warnings } = checkedFindings(values, content.length, limits);
  const { language, checksum, problem } = values;
  // Field by field: properties after a spread cost as much as everything else here.
  return {
    text: content,
    truncated: checkedBoolean(values['truncated'], 'truncated'),
    pages,
    contentType,
    metadata,
    language: language === undefined ? undefined : checkedPattern(language, 'the language', LANGUAGE),
    checksum: checksum === undefined ? undefined : checkedPattern(checksum, 'the checksum', HEX),
    source: source === undefined ? undefined : checkedSource(source, options, limits),
    size: checkedInteger(values['size'], 'the size', 0, Number.MAX_SAFE_INTEGER),
    members,
    warnings,
    problem: problem === undefined ? undefined : checkedProblem(problem),
  };
}

/** What is known of a document whose process ended before it was finished. */
export type PartialResult = Required<
  Pick<Extraction, 'text' | 'pages' | 'members' | 'warnings' | 'contentType' | 'metadata'>
>;

export function checkedFindings(
  values: Readonly<Record<string, unknown>>,
  textLength: number,
  limits: DocumentLimits,
): Omit<PartialResult, 'text'> {
  const { pages, contentType } = values;
  return {
    pages: pages === undefined ? [] : checkedPages(pages, textLength),
    contentType: contentType === undefined ? undefined : checkedString(contentType, 'the type'),
    metadata: checkedMetadata(values['metadata']),
    members: checkedList(values['members'], 'members', limits.parts, (each) =>
      checkedMember(each, textLength, limits.depth),
    ),
    warnings: checkedList(values['warnings'], 'warnings', MOST_WARNINGS, (each) => checkedString(each, 'a warning')),
  };
}

/** Shorter JSON is parsed without counting its arrays and objects first. */
const SHORT_BYTES = 1024 * 1024;
const OPENING_BRACKET = 0x5b;
const OPENING_BRACE = 0x7b;

/** Empty arrays and objects take ten times the memory of their JSON, so their number is limited as well. */
export function parsedFacts(facts: Buffer, limits: DocumentLimits): Readonly<Record<string, unknown>> {
  if (facts.length > SHORT_BYTES) {
    let containers = 0;
    for (const byte of facts) if (byte === OPENING_BRACKET || byte === OPENING_BRACE) containers++;
    if (containers > mostContainers(limits)) throw invalid('the facts contain too many arrays and objects');
  }
  return parsedObject(facts, 'the facts');
}

const LANGUAGE = /^[a-z]{2,3}(?:-[A-Za-z]{2,8})?$/;
const HEX = /^[0-9a-f]{1,256}$/;
const NOT_BASE64 = /[^A-Za-z0-9+/=]/;

function checkedPattern(value: unknown, what: string, pattern: RegExp): string {
  const text = checkedString(value, what);
  if (!pattern.test(text)) throw invalid(`${what} is malformed`);
  return text;
}

function checkedSource(source: Buffer, { includeSource }: ExtractionOptions, limits: DocumentLimits): string {
  if (!includeSource) throw invalid('a source was not requested');
  const base64 = source.toString('latin1');
  if (base64.length > mostBase64Characters(limits) || NOT_BASE64.test(base64)) {
    throw invalid('the source is not base64 of a file of the permitted size');
  }
  return base64;
}

function checkedPages(value: unknown, length: number): readonly number[] {
  let before = 0;
  return checkedList(value, 'pages', MOST_PAGES, (each) => {
    before = checkedInteger(each, 'the beginning of a page', before, length);
    return before;
  });
}

function checkedMember(value: unknown, length: number, depth: number): ExtractedMember {
  const member = checkedObject(value, 'a member');
  const from = checkedInteger(member['from'], 'the beginning of a member', 0, length);
  return {
    name: checkedString(member['name'], 'the name of a member'),
    contentType: checkedString(member['contentType'], 'the type of a member'),
    depth: checkedInteger(member['depth'], 'the depth of a member', 1, depth),
    from,
    to: checkedInteger(member['to'], 'the end of a member', from, length),
    metadata: checkedMetadata(member['metadata']),
  };
}

/** Without a prototype: keys come from the document and may be `__proto__` or `constructor`. */
function checkedMetadata(value: unknown): Metadata {
  const metadata = checkedObject(value, 'metadata');
  const keys = Object.keys(metadata);
  if (keys.length > MOST_METADATA_KEYS) throw invalid(`metadata have ${keys.length} keys`);
  for (const key of keys) checkMetadataValues(metadata[key]);
  return Object.setPrototypeOf(metadata, null) as Metadata;
}

function checkMetadataValues(values: unknown): void {
  if (!Array.isArray(values) || values.length > MOST_METADATA_VALUES) {
    throw invalid(`the values of a key are not an array of at most ${MOST_METADATA_VALUES} items`);
  }
  for (const value of values) checkedString(value, 'a value', LONGEST_METADATA_VALUE);
}

function checkedProblem(value: unknown): NonNullable<Extraction['problem']> {
  const problem = checkedObject(value, 'the problem');
  return {
    reason: checkedKey(problem['reason'], 'the reason', reasons),
    message: checkedString(problem['message'], 'the message of the problem'),
  };
}
