import type { FormatContext, FormatInput } from '../../format.js';
import { decodePieces } from './decode.js';
import { detectCharset } from './detect-charset.js';

/** A decoded text, in pieces of bounded size. */
export interface ReadableText {
  readonly charset: string;
  /** Enough of the text to tell what it is. */
  readonly beginning: string;
  pieces(): AsyncIterable<string>;
}

const BEGINNING_CHARACTERS = 10_000;

/** Finds the character set and reports it (content type with `charset=`, `Content-Encoding`), then decodes. */
export async function readText(input: FormatInput, context: FormatContext): Promise<ReadableText> {
  const { name: charset, detector } = await detectCharset(input.bytes);
  context.contentType(`${input.mediaType}; charset=${charset}`);
  context.setMeta('Content-Encoding', charset);
  context.setMeta('tk:detectedEncoding', charset);
  context.setMeta('tk:encodingDetector', detector);
  const pieces = decodePieces(input.bytes, charset);
  const first = await pieces.next();
  const beginning = first.done === true ? '' : first.value;
  return {
    charset,
    beginning: beginning.slice(0, BEGINNING_CHARACTERS),
    pieces: () => startingWith(beginning, pieces),
  };
}

async function* startingWith(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  if (first !== '') yield first;
  yield* rest;
}
