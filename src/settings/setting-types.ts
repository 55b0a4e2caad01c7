import { digestName, digestNames } from '../base/digest.js';
import { compilePattern } from '../base/glob.js';
import { fromHome } from '../base/home-folder.js';
import {
  parseByteSize,
  parseDuration,
  parseShare,
  printByteSize,
  printDuration,
  printShare,
  type Share,
} from '../base/units.js';
import { contentPattern } from './filter-pattern.js';
import { type SettingType, single } from './setting-type.js';
import { withoutCredentials } from './without-credentials.js';

export const text: SettingType<string> = single({
  name: 'text',
  expects: 'a text',
  parse: (given) => given,
  print: withoutCredentials,
});

/** Words, markers and passwords that must keep their blanks. */
export const verbatim: SettingType<string> = {
  ...text,
  parse(raw) {
    if (typeof raw !== 'string') throw new RangeError('A single value is needed. Write a text.');
    return raw;
  },
};

/** A path on this machine. `~` is the home folder; relative paths start at the working directory of the caller. */
export const localPath: SettingType<string> = single({
  name: 'path',
  expects: 'a path on this machine',
  parse: (given) => fromHome(given),
  print: withoutCredentials,
});

const MEANT: Readonly<Record<string, boolean>> = { yes: true, on: true, '1': true, no: false, off: false, '0': false };

export const flag: SettingType<boolean> = single({
  name: 'boolean',
  expects: 'true or false',
  parse(given) {
    const word = given.toLowerCase();
    if (word === 'true' || word === 'false') return word === 'true';
    const meant = MEANT[word];
    throw new RangeError(
      `[${given}] is neither true nor false.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
    );
  },
  print: (value) => value,
});

export function integer(from: number, to: number): SettingType<number> {
  const range = to === Number.MAX_SAFE_INTEGER ? `from ${from} on` : `from ${from} to ${to}`;
  return single({
    name: `integer ${range}`,
    expects: `a whole number ${range}`,
    parse(given) {
      const value = Number(given);
      if (!/^[+-]?\d+$/.test(given)) throw new RangeError(`[${given}] is not a whole number.`);
      if (value < from || value > to) throw new RangeError(`[${given}] is out of range.`);
      return value;
    },
    print: (value) => value,
  });
}

export const count: SettingType<number> = integer(1, Number.MAX_SAFE_INTEGER);
export const port: SettingType<number> = integer(0, 65_535);

const DURATION = 'a whole number directly followed by ms, s, m, h or d, such as 15m';

export const duration: SettingType<number> = single({
  name: 'duration',
  expects: DURATION,
  unit: 'Ms',
  parse: parseDuration,
  print: printDuration,
});

/** A duration, or -1 for ever. */
export const startTimeout: SettingType<number> = durationOr('no limit');
/** A duration, or -1 for never. */
export const durationOrNever: SettingType<number> = durationOr('never');

/** @param minusOne what -1 stands for */
function durationOr(minusOne: string): SettingType<number> {
  return single({
    name: 'duration or -1',
    expects: `${DURATION}, or -1 for ${minusOne}`,
    unit: 'Ms',
    parse: (given) => (given === '-1' ? -1 : parseDuration(given)),
    print: printDuration,
  });
}

/** A field of the tags of documents: `external.team`. */
export const tagField: SettingType<string> = single({
  name: 'field below `external`',
  expects: 'the name of a field below external, such as external.team',
  parse(given) {
    if (/^external(?:\.[^.:\s]+)+$/u.test(given)) return given;
    throw new RangeError(`[${given}] is not a field of the tags of documents.`);
  },
  print: (value) => value,
});

const BYTE_SIZE = 'a number and b, kb, mb, gb, tb or pb, such as 10mb';

export const byteSize: SettingType<number> = single({
  name: 'byte size',
  expects: BYTE_SIZE,
  unit: 'Bytes',
  parse: parseByteSize,
  print: printByteSize,
});

/** A byte size that caps something; -1 lifts the cap. */
export const byteLimit: SettingType<number | undefined> = single({
  name: 'byte size or -1',
  expects: `${BYTE_SIZE}, or -1 for no limit`,
  unit: 'Bytes',
  parse(given) {
    const bytes = parseByteSize(given);
    return bytes < 0 ? undefined : bytes;
  },
  print: (value) => (value === undefined ? undefined : printByteSize(value)),
});

/** How much text of a document is kept. */
export type CharacterLimit =
  | { readonly kind: 'unset' }
  /** -1 is unlimited, 0 keeps no text. */
  | { readonly kind: 'absolute'; readonly characters: number }
  /** Of the file's size in bytes. */
  | { readonly kind: 'percent'; readonly percent: number };

export const characterLimit: SettingType<CharacterLimit> = single<CharacterLimit>({
  name: 'percentage or characters',
  expects: 'a number of characters (5000), a percentage of the file size ("80%"), or -1 for all',
  parse(given) {
    const share = parseShare(given);
    if (share.kind === 'percent') return { kind: 'percent', percent: notNegative(share, given) };
    const characters = Math.trunc(share.value);
    return { kind: 'absolute', characters: characters === -1 ? -1 : notNegative(share, given) };
  },
  print(value) {
    if (value.kind === 'unset') return undefined;
    return printShare(value.kind === 'percent' ? value : { kind: 'absolute', value: value.characters });
  },
});

/** How many deletions one scan may ask for before a person is asked. */
export type DeleteGuard =
  | { readonly kind: 'off' }
  | { readonly kind: 'documents'; readonly documents: number }
  /** Of the job's documents, but never fewer than 1,000. */
  | { readonly kind: 'percent'; readonly percent: number };

export const deleteGuard: SettingType<DeleteGuard> = single<DeleteGuard>({
  name: 'percentage or documents',
  expects: 'a percentage of the documents ("50%"), a number of documents (20000), or -1 for no guard',
  parse(given) {
    const share = parseShare(given);
    if (share.kind === 'percent') {
      if (share.percent > 100) throw new RangeError(`[${given}] is more than all documents.`);
      return { kind: 'percent', percent: notNegative(share, given) };
    }
    if (share.value === -1) return { kind: 'off' };
    return { kind: 'documents', documents: notNegative(share, given) };
  },
  print(value) {
    if (value.kind === 'off') return '-1.0';
    return printShare(value.kind === 'percent' ? value : { kind: 'absolute', value: value.documents });
  },
});

function notNegative(share: Share, given: string): number {
  const value = share.kind === 'percent' ? share.percent : Math.trunc(share.value);
  if (value < 0) throw new RangeError(`[${given}] is negative.`);
  return value;
}

/** `refusal` starts the sentence that is shown for an unknown digest. */
export function digest(refusal: (given: string) => string): SettingType<string> {
  return single({
    name: 'digest',
    expects: `one of ${digestNames.join(', ')}`,
    parse(given) {
      if (digestName(given) === undefined) throw new RangeError(refusal(given));
      return given;
    },
    print: (value) => value,
  });
}

interface ChoiceOptions<C extends string> {
  /** Other spellings that are understood. */
  readonly aliases?: Readonly<Record<string, C>>;
  readonly refusal?: (given: string) => string;
  /** `GET /` shows the word in capitals. */
  readonly printUpperCase?: boolean;
}

/** One of a few words, in any case. */
export function choice<const C extends string>(words: readonly C[], options: ChoiceOptions<C> = {}): SettingType<C> {
  const refusal = options.refusal ?? ((given: string) => `[${given}] is not known.`);
  return single({
    name: words.map((word) => `\`${word}\``).join(', '),
    expects: listed(words),
    parse(given) {
      const word = given.toLowerCase();
      const found = words.find((each) => each === word) ?? options.aliases?.[word];
      if (found === undefined) throw new RangeError(refusal(given));
      return found;
    },
    print: (value) => (options.printUpperCase === true ? value.toUpperCase() : value),
  });
}

function listed(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`;
}

/** The address of a service. */
export const url: SettingType<string> = single({
  name: 'URL',
  expects: 'an address such as http://127.0.0.1:9200',
  parse(given) {
    const parsed = URL.canParse(given) ? new URL(given) : undefined;
    if (parsed?.protocol === 'http:' || parsed?.protocol === 'https:') return given;
    throw new RangeError(`[${withoutCredentials(given)}] is not an http or https address.`);
  },
  print: withoutCredentials,
});

/** An address to listen on. */
export const listenUrl: SettingType<string> = single({
  name: 'URL to listen on',
  expects: 'an address such as http://127.0.0.1:8080, with a path if all endpoints shall have a prefix',
  parse(given) {
    const parsed = URL.canParse(given) ? new URL(given) : undefined;
    if (parsed?.protocol === 'https:') {
      throw new RangeError(`[${given}] asks for TLS, which the service does not speak; put a proxy in front of it.`);
    }
    if (parsed?.protocol !== 'http:' || parsed.username !== '' || parsed.search !== '' || parsed.hash !== '') {
      throw new RangeError(`[${withoutCredentials(given)}] is not an address to listen on.`);
    }
    return given;
  },
  print: withoutCredentials,
});

/** A pattern for paths: a glob, or a regular expression after `regex:`. */
export const pathPattern: SettingType<string> = single({
  name: 'glob',
  expects: 'a glob such as */*.doc, or regex: and a regular expression',
  parse(given) {
    requireValid(given, compilePattern);
    return given;
  },
  print: (value) => value,
});

/** A pattern that is searched for in the text of a document. */
export const contentRegex: SettingType<string> = single({
  name: 'regex',
  expects: 'a regular expression such as ^chapter [0-9]+',
  parse(given) {
    requireValid(given, contentPattern);
    return given;
  },
  print: (value) => value,
});

function requireValid(given: string, compile: (given: string) => unknown): void {
  try {
    compile(given);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new RangeError(`[${given}] is not ${whatItIsNot(error.message)}.`, { cause: error });
  }
}

/** V8 says: Invalid regular expression: /(/mu: Unterminated group */
function whatItIsNot(message: string): string {
  if (!message.startsWith('Invalid regular expression: ')) return `a pattern: ${message}`;
  const why = message.slice(message.lastIndexOf(': ') + 2);
  return `a regular expression: ${why.charAt(0).toLowerCase()}${why.slice(1)}`;
}
