import type { Request, Response } from 'express';
import { excessOf, isObject, parseJson } from '../json-text.js';
import type { JsonLimits } from '../json-text.js';
import { mediaTypeOf, readTextBody } from '../text-body.js';
import { ApiError } from './api-error.js';

/** Bodies of searches and the like: an object, or several, one a line. */
export type Body = Readonly<Record<string, unknown>>;

const BODY_BYTES = 10 * 1024 * 1024;
/** A list of 65,536 terms, as Elasticsearch takes, is well below it. */
const LIMITS: JsonLimits = { members: 50_000, values: 200_000 };
const JSON_TYPES = ['application/json', 'application/vnd.elasticsearch+json'];
const LINE_TYPES = [...JSON_TYPES, 'application/x-ndjson', 'application/vnd.elasticsearch+x-ndjson'];

/** Undefined when there is no body. */
export async function readBody(request: Request, response: Response): Promise<Body | undefined> {
  const text = await readTyped(request, response, JSON_TYPES);
  if (text.trim() === '') return undefined;
  const parsed = await parseJson(text, LIMITS);
  if (!parsed.ok) throw malformed(`The body ${parsed.why}`);
  if (!isObject(parsed.value)) throw malformed('The body must be a JSON object');
  return parsed.value;
}

export async function requireBody(request: Request, response: Response): Promise<Body> {
  const body = await readBody(request, response);
  if (body === undefined) throw new ApiError(400, 'parse_exception', 'request body is required');
  return body;
}

/** One object a line; an empty line is an empty object. What follows the last line feed must be empty, as in Elasticsearch. */
export async function readLines(request: Request, response: Response): Promise<readonly Body[]> {
  const text = await readTyped(request, response, LINE_TYPES);
  if (text === '') throw new ApiError(400, 'parse_exception', 'request body is required');
  const excess = await excessOf(text, LIMITS);
  if (excess !== undefined) throw malformed(`The body ${excess}`);
  const lines = text.split('\n');
  if (lines.pop()?.trim() !== '') {
    throw new ApiError(400, 'illegal_argument_exception', 'The request must be terminated by a newline [\\n]');
  }
  return lines.map((line, at) => parseLine(line, at + 1));
}

function parseLine(line: string, number: number): Body {
  if (line.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(line);
    if (isObject(value)) return value;
  } catch {
    // Told below: the parser's sentence quotes the text.
  }
  throw malformed(`Line ${number} of the body is not a JSON object`);
}

async function readTyped(request: Request, response: Response, types: readonly string[]): Promise<string> {
  const text = await readTextBody(request, response, BODY_BYTES);
  const mediaType = mediaTypeOf(request);
  if (text.trim() === '' || types.includes(mediaType)) return text;
  throw new ApiError(415, 'media_type_header_exception', `Content-Type header [${mediaType}] is not supported`);
}

/** The body without some of its members. */
export function without(body: Body, keys: readonly string[]): Body {
  return Object.fromEntries(Object.entries(body).filter(([key]) => !keys.includes(key)));
}

export function malformed(reason: string): ApiError {
  return new ApiError(400, 'parsing_exception', reason);
}

/** Of a request that makes no sense, in Elasticsearch's words. */
export function invalidRequest(reason: string): ApiError {
  return new ApiError(400, 'action_request_validation_exception', `Validation Failed: 1: ${reason};`);
}
