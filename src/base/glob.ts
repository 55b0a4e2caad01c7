import { Pattern } from './pattern/pattern.js';
import { wildcardOf } from './wildcard.js';

/**
 * Include and exclude patterns, with the peer's syntax, without the accidents of its regular expressions.
 *
 * A pattern is matched against the whole virtual path (`/sub/file.txt`, folders with a trailing `/`), ignoring case:
 * `*` is any run of characters and crosses `/`, `?` is zero or one character, a backslash takes the next character as it is,
 * everything else stands for itself. Paths of Windows have their separators written as `/`, so an escaped backslash is one.
 * A pattern without any `/` also matches the bare name. A pattern that starts with `regex:` is a regular expression.
 *
 * Globs are matched in a time that grows with the path times the pattern at most; for `regex:` see pattern/pattern.ts.
 */
export interface PathPattern {
  readonly text: string;
  /** Throws `timed_out` when a regular expression is not decided in time. */
  matches(virtualPath: string, isFolder: boolean): boolean;
}

const REGEX = 'regex:';
const REGEX_OPTIONS = { ignoreCase: true, dotAll: true, multiline: false };

/** Throws a SyntaxError for a regular expression that is none, and for a backslash at the end. */
export function compilePattern(text: string): PathPattern {
  return text.startsWith(REGEX) ? regexPattern(text) : globPattern(text);
}

/** The first pattern that matches, or undefined. */
export function firstMatch(
  patterns: readonly PathPattern[],
  virtualPath: string,
  isFolder: boolean,
): PathPattern | undefined {
  return patterns.find((pattern) => pattern.matches(virtualPath, isFolder));
}

/** Whether the linear engine (pattern/linear-engine.ts) has to be loaded for the pattern. */
export function isRegexPattern(text: string): boolean {
  return text.startsWith(REGEX);
}

function regexPattern(text: string): PathPattern {
  const pattern = new Pattern(text.slice(REGEX.length), 'whole', REGEX_OPTIONS);
  return { text, matches: (virtualPath, isFolder) => pattern.test(toSubject(virtualPath, isFolder)) };
}

function globPattern(text: string): PathPattern {
  const tokens = toTokens(text);
  const fits = tokens.includes(OPTIONAL) ? optionalFits(tokens) : wildcardOf(partsOf(tokens));
  const nameOnly = !tokens.includes('/');
  return {
    text,
    matches: (virtualPath, isFolder) => {
      const subject = folded(toSubject(virtualPath, isFolder));
      return fits(subject) || (nameOnly && fits(nameOf(subject)));
    },
  };
}

/** A character that stands for itself, any run of characters, or one character or none. */
type Token = string | typeof ANY_RUN | typeof OPTIONAL;
const ANY_RUN = Symbol('*');
const OPTIONAL = Symbol('?');

function toTokens(text: string): readonly Token[] {
  const tokens: Token[] = [];
  const characters = folded(text);
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters.charAt(at);
    if (character === '*') {
      if (tokens.at(-1) !== ANY_RUN) tokens.push(ANY_RUN);
    } else if (character === '?') tokens.push(OPTIONAL);
    else if (character !== '\\') tokens.push(character);
    else {
      at += 1;
      if (at === characters.length) throw new SyntaxError('the backslash at its end takes no character as it is');
      const escaped = characters.charAt(at);
      tokens.push(escaped === '\\' ? '/' : escaped);
    }
  }
  return tokens;
}

/** What stands between the runs. */
function partsOf(tokens: readonly Token[]): string[] {
  const parts = [''];
  for (const token of tokens) {
    if (typeof token === 'string') parts.push(`${parts.pop() ?? ''}${token}`);
    else parts.push('');
  }
  return parts;
}

/**
 * Follows all readings at once: a place is the token before which a reading of the text so far stands. `stepOf` tells which
 * places have been added in a step, so that none is added twice.
 */
function optionalFits(tokens: readonly Token[]): (text: string) => boolean {
  return (text) => {
    const stepOf = new Int32Array(tokens.length + 1).fill(-1);
    let places: number[] = [];
    let next: number[] = [];
    // A run may be empty, and what is optional may be missing: the place behind it is reached as well.
    const add = (to: number[], place: number, step: number): void => {
      for (let at = place; stepOf[at] !== step; at += 1) {
        stepOf[at] = step;
        to.push(at);
        if (typeof tokens[at] !== 'symbol') return;
      }
    };
    add(places, 0, 0);
    for (let at = 0; at < text.length && places.length > 0; at += 1) {
      const character = text.charAt(at);
      next.length = 0;
      for (const place of places) {
        const token = tokens[place];
        if (token === ANY_RUN) add(next, place, at + 1);
        else if (token === OPTIONAL || token === character) add(next, place + 1, at + 1);
      }
      [places, next] = [next, places];
    }
    return places.includes(tokens.length);
  };
}

/** Both ends of the comparison ignore case; a sigma at the end of a word is one like any other. */
function folded(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}

function toSubject(virtualPath: string, isFolder: boolean): string {
  const path = virtualPath.replaceAll('\\', '/');
  return isFolder && !path.endsWith('/') ? `${path}/` : path;
}

function nameOf(subject: string): string {
  const path = subject.endsWith('/') ? subject.slice(0, -1) : subject;
  return path.slice(path.lastIndexOf('/') + 1);
}
