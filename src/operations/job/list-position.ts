import { CrawlerError } from '../../base/errors.js';

/** Where a page of a list of files ended, as text for the caller to hand back. */
export interface ListPosition<Kind extends string> {
  readonly kind: Kind;
  readonly folderId: number;
  readonly name: string;
}

export function writePosition({ kind, folderId, name }: ListPosition<string>): string {
  return Buffer.from(JSON.stringify([kind, folderId, name])).toString('base64url');
}

/** Throws `usage` for a text that is no position of this list. */
export function readPosition<Kind extends string>(text: string, kinds: readonly Kind[]): ListPosition<Kind> {
  const value = parsed(text);
  if (Array.isArray(value)) {
    const [given, folderId, name] = value as unknown[];
    const kind = kinds.find((each) => each === given);
    if (kind !== undefined && Number.isSafeInteger(folderId) && typeof name === 'string')
      return { kind, folderId: folderId as number, name };
  }
  throw new CrawlerError('usage', 'The parameter [after] is not one of this list. Begin again without it.');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
