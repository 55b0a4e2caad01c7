import { badRequest } from './request-fault.js';

/**
 * The search syntax of `GET /_search` is one that no text can break: a quotation mark or parenthesis without its partner
 * is passed over. The caller would get other hits than were asked for, so it is an error instead.
 *
 * Throws 400 with a sentence that names the place.
 */
export function requireBalanced(text: string): void {
  const open: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charAt(at)) {
      case '\\':
        at += 1;
        break;
      case '"':
        at = endOfPhrase(text, at);
        break;
      case '(':
        open.push(at);
        break;
      case ')':
        if (open.pop() === undefined) throw unbalanced(')', at, 'has no opening one');
        break;
    }
  }
  const last = open.at(-1);
  if (last !== undefined) throw unbalanced('(', last, 'is not closed');
}

function endOfPhrase(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  throw unbalanced('"', start, 'is not closed');
}

function unbalanced(sign: string, at: number, fault: string): Error {
  const name = sign === '"' ? 'quotation mark' : 'parenthesis';
  return badRequest(
    `The ${name} at character ${at + 1} of the search ${fault}. To search for the sign itself, write \\${sign}.`,
  );
}
