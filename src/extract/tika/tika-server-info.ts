import { TikaClient } from 'tika-js';
import { CrawlerError, messageOf } from '../../base/errors.js';
import { UNKNOWN } from '../detect/type-names.js';

/**
 * What a Tika server can do, asked from its own lists by tika-js. That client knows no time limits, no passwords, no lists of
 * parts and no status codes, so it is used for these lists only, after the server has proved to be one (`TikaServer.health`).
 */
export class TikaServerInfo {
  /** `3.3.2`. */
  readonly version: string;
  readonly parsers: number;
  readonly detectors: number;
  readonly #parsed: ReadonlySet<string>;
  readonly #supertypes: ReadonlyMap<string, string>;

  private constructor(version: string, details: Details, detectors: number, supertypes: ReadonlyMap<string, string>) {
    this.version = version;
    this.parsers = details.parsers;
    this.detectors = detectors;
    this.#parsed = details.types;
    this.#supertypes = supertypes;
  }

  /** Rejects with `unavailable` when the server does not tell. */
  static async ask(url: string): Promise<TikaServerInfo> {
    try {
      return await withTimeout(TikaServerInfo.#ask(new TikaClient({ host: url })));
    } catch (cause) {
      const message = `The Tika server does not report what it supports: ${messageOf(cause)}`;
      throw new CrawlerError('unavailable', message, { cause });
    }
  }

  static async #ask(client: TikaClient): Promise<TikaServerInfo> {
    const [version, parsers, detectors, types] = await Promise.all([
      client.getVersion(),
      orUndefined(client.getDetailedParsers()),
      orUndefined(client.getDetectors()),
      orUndefined(client.getMimeTypes()),
    ]);
    const known = version.replace(/^Apache Tika /, '');
    return new TikaServerInfo(known, detailsOf(parsers), leavesOf(detectors).length, supertypesOf(types));
  }

  /**
   * Whether the server has a parser for a type (or for one that it is a special case of) that may find text. One that keeps its
   * lists to itself may have any.
   */
  knows(type: string): boolean {
    if (this.parsers === 0) return true;
    let base: string | undefined = baseOf(type);
    for (let step = 0; base !== undefined && base !== UNKNOWN && step < MOST_STEPS; step++) {
      if (this.#parsed.has(base)) return true;
      base = this.#supertypes.get(base);
    }
    return false;
  }
}

/** Types have few ancestors. */
const MOST_STEPS = 10;
const TIMEOUT_MS = 15_000;
/** What is found in programs is for which processor they are; external programs only tell the measures of videos. */
const NO_TEXT = /\.(?:executable|external)\.\w+$/;

interface Details {
  readonly parsers: number;
  readonly types: ReadonlySet<string>;
}

/** Parsers, and the types of those that may find text, without parameters: which version it is, the server sees itself. */
function detailsOf(tree: unknown): Details {
  const parsers = leavesOf(tree);
  const types = parsers
    .filter(({ name }) => typeof name !== 'string' || !NO_TEXT.test(name))
    .flatMap(({ supportedTypes }) => (Array.isArray(supportedTypes) ? (supportedTypes as unknown[]) : []))
    .filter((type) => typeof type === 'string');
  return { parsers: parsers.length, types: new Set(types.map(baseOf)) };
}

function supertypesOf(types: unknown): ReadonlyMap<string, string> {
  const supertypes = new Map<string, string>();
  for (const [type, facts] of Object.entries(isObject(types) ? types : {})) {
    const supertype = isObject(facts) ? facts['supertype'] : undefined;
    if (typeof supertype === 'string' && !type.includes(';')) supertypes.set(type, baseOf(supertype));
  }
  return supertypes;
}

/** Parsers and detectors are listed as trees, whose inner nodes only hold others. */
function leavesOf(tree: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (!isObject(tree)) return [];
  const { children } = tree;
  return Array.isArray(children) && children.length > 0 ? children.flatMap(leavesOf) : [tree];
}

function baseOf(type: string): string {
  const semicolon = type.indexOf(';');
  return (semicolon === -1 ? type : type.slice(0, semicolon)).trim().toLowerCase();
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A server may be configured to offer less than everything. */
async function orUndefined(list: Promise<unknown>): Promise<unknown> {
  return await list.catch(() => undefined);
}

async function withTimeout<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no answer within ${TIMEOUT_MS / 1000} s`));
    }, TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
