import iconv from 'iconv-lite';
import { hasEscapedBytes, toNativePath, toShownName } from './native-path.js';

/**
 * File names on a wire that carries bytes (FTP, SFTP).
 *
 * A name is UTF-8 when its bytes are; on a server that refuses UTF-8 it is GBK otherwise; and bytes that are neither are
 * shown as `\xHH`, as in the local source. The program only keeps the text, so the way back is found by asking: a path has
 * as many encodings as its parts have readings, and the server knows which of them exists. For nearly every path there is
 * one.
 */
const MAX_ENCODINGS = 32;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

type Reading = (part: string) => Buffer | undefined;

export class RemoteNames {
  readonly #gbk: boolean;
  readonly #readings: readonly Reading[];

  /** @param gbk the server refuses UTF-8 */
  constructor(gbk: boolean) {
    this.#gbk = gbk;
    this.#readings = gbk ? [asUtf8, asGbk, asEscaped] : [asUtf8, asEscaped];
  }

  decode(raw: Uint8Array): string {
    try {
      return utf8.decode(raw);
    } catch {
      return (this.#gbk ? fromGbk(Buffer.from(raw)) : undefined) ?? toShownName(raw);
    }
  }

  /** The likely ones first. */
  *encodings(path: string): Generator<Buffer, void, undefined> {
    yield asUtf8(path);
    if (isPlain(path)) return;
    const seen = new Set([asUtf8(path).toString('latin1')]);
    for (const each of this.#otherEncodings(path)) {
      const key = each.toString('latin1');
      if (seen.has(key)) continue;
      seen.add(key);
      yield each;
      if (seen.size >= MAX_ENCODINGS) return;
    }
  }

  /** All parts read alike, then every mixture. */
  *#otherEncodings(path: string): Generator<Buffer, void, undefined> {
    const parts = path.split('/');
    for (const reading of this.#readings) yield joined(parts.map((part) => reading(part) ?? asUtf8(part)));
    const choices = parts.map((part) => this.#readings.flatMap((reading) => reading(part) ?? []));
    yield* mixtures(choices, []);
  }
}

function* mixtures(choices: readonly Buffer[][], chosen: readonly Buffer[]): Generator<Buffer, void, undefined> {
  const [first, ...rest] = choices;
  if (first === undefined) {
    yield joined(chosen);
    return;
  }
  for (const each of first) yield* mixtures(rest, [...chosen, each]);
}

function joined(parts: readonly Buffer[]): Buffer {
  return Buffer.concat(parts.flatMap((part, at) => (at === 0 ? [part] : [SLASH, part])));
}

const SLASH = Buffer.from('/');

/** Only ASCII and nothing that looks like an escaped byte: one encoding. */
function isPlain(path: string): boolean {
  return !/[^\x20-\x7e]/.test(path) && !hasEscapedBytes(path);
}

function asUtf8(part: string): Buffer {
  return Buffer.from(part, 'utf8');
}

function asGbk(part: string): Buffer | undefined {
  const raw = iconv.encode(part, 'gbk');
  return iconv.decode(raw, 'gbk') === part ? raw : undefined;
}

function asEscaped(part: string): Buffer | undefined {
  return hasEscapedBytes(part) ? toNativePath(part) : undefined;
}

/** Undefined when the bytes do not come back from the text. */
function fromGbk(raw: Buffer): string | undefined {
  const text = iconv.decode(raw, 'gbk');
  return iconv.encode(text, 'gbk').equals(raw) ? text : undefined;
}
