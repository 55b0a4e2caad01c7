import type { ExtractedMember, Extraction, ExtractionRequest } from '../extraction.js';
import { UNKNOWN } from '../detect/type-names.js';
import { TextBuffer } from '../text-buffer.js';
import type { Problem } from '../../model/reason.js';
import { problemsOf } from './tika-problem.js';
import { joinText, type TikaPart } from './joined-text.js';
import { readMetadata, type TikaMetadata } from './tika-metadata.js';

/**
 * The answer of `/rmeta`: a list with one object of metadata for the document and for each part inside it, the text being
 * one of the metadata.
 */
export type TikaResult = Pick<
  Extraction,
  'text' | 'truncated' | 'contentType' | 'metadata' | 'members' | 'warnings' | 'problem'
>;

export interface AnswerLimits {
  /** Characters that are kept; Infinity for all. */
  readonly characters: number;
}

/** Undefined when the answer is not one of a Tika server. */
export function readAnswer(
  body: Buffer,
  { name }: ExtractionRequest,
  { characters }: AnswerLimits,
): TikaResult | undefined {
  const levels = parse(body)?.map(readMetadata);
  if (levels === undefined) return undefined;
  const [document, ...parts] = levels;
  if (document === undefined) {
    const message = 'The Tika server failed on it without a reason; its log may say.';
    return emptyResult(name, { reason: 'corrupt', message });
  }
  const text = new TextBuffer(characters);
  const members = joinText([partOf(document), ...parts.map(partOf)], text);
  const { problem, warnings, isCut } = problemsOf(document, parts);
  return {
    text: text.toString(),
    truncated: text.truncated || (isCut && characters > 0),
    contentType: typeOf(document),
    metadata: withFullSet({ ...document.metadata, resourceName: [name] }, members),
    members,
    warnings,
    problem,
  };
}

function parse(body: Buffer): readonly Readonly<Record<string, unknown>>[] | undefined {
  try {
    const parsed = JSON.parse(body.toString()) as unknown;
    return Array.isArray(parsed) && parsed.every(isObject) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function partOf(level: TikaMetadata): TikaPart {
  const { metadata, content } = level;
  return { name: metadata['resourceName']?.[0] ?? '', contentType: typeOf(level), metadata, content };
}

function typeOf({ metadata }: TikaMetadata): string {
  return metadata['Content-Type']?.[0] ?? UNKNOWN;
}

/** An answer that says emptyResult about the document but why. */
export function emptyResult(name: string, problem: Problem | undefined, contentType = UNKNOWN): TikaResult {
  return {
    text: '',
    truncated: false,
    contentType,
    metadata: { resourceName: [name], 'Content-Type': [contentType] },
    members: [],
    warnings: [],
    problem,
  };
}

/** All parsers that took part; the server lists those of the document itself only. */
function withFullSet(metadata: Extraction['metadata'], members: readonly ExtractedMember[]): Extraction['metadata'] {
  const key = 'tk:Parsed-By-Full-Set';
  const all = [metadata, ...members.map((member) => member.metadata)].flatMap((each) => each[key] ?? []);
  return all.length === 0 ? metadata : { ...metadata, [key]: [...new Set(all)] };
}
