import type { DavResponse } from './multistatus.js';
import { partsOfHref } from './webdav-path.js';

/** A resource in a folder, with its name. */
export interface Member {
  readonly name: string;
  readonly response: DavResponse;
}

export interface FolderAnswer {
  /** What the answer says of the folder itself. */
  readonly self: DavResponse;
  readonly members: readonly Member[];
}

/**
 * Tells the folder itself from what lies in it. The folder has to be named: an answer without it may be one about
 * something else. Behind a proxy that changes paths a server may write another one than was asked for; then the folder is
 * the resource that all others lie in. Resources further down are passed over: they belong to the listing of their folder.
 * Throws when the answer is not about one folder.
 */
export function membersOf(responses: readonly DavResponse[], requestPath: string): FolderAnswer {
  const placed = responses.map((response) => ({ response, parts: partsOfHref(response.href) }));
  const folder = folderIn(placed, partsOfHref(requestPath));
  const members = new Map<string, DavResponse>();
  for (const { response, parts } of placed) {
    if (isSame(parts, folder.parts)) continue;
    const [name, ...deeper] = parts.slice(folder.parts.length);
    if (name === undefined || !liesIn(folder.parts, parts)) {
      throw new Error(`the answer names [${response.href}], which does not lie in the folder`);
    }
    if (name === '.' || name === '..') throw new Error(`the answer names [${response.href}], which is no name`);
    if (deeper.length === 0 && !members.has(name)) members.set(name, response);
  }
  return { self: folder.response, members: [...members].map(([name, response]) => ({ name, response })) };
}

interface Placed {
  readonly response: DavResponse;
  readonly parts: readonly string[];
}

/** Another path than the one asked for is believed of a folder that everything else in the answer lies in. */
function folderIn(placed: readonly Placed[], asked: readonly string[]): Placed {
  const exact = placed.find(({ parts }) => isSame(parts, asked));
  if (exact !== undefined) return exact;
  const [first, ...others] = placed;
  if (first === undefined) throw new Error('the answer names nothing, not even the folder itself');
  const shortest = others.reduce((least, each) => (each.parts.length < least.parts.length ? each : least), first);
  if (shortest.response.isFolder && placed.every(({ parts }) => liesIn(shortest.parts, parts))) return shortest;
  throw new Error(`the answer does not name the folder itself, but [${shortest.response.href}]`);
}

function liesIn(folder: readonly string[], parts: readonly string[]): boolean {
  return isSame(parts.slice(0, folder.length), folder);
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((part, at) => part === b[at]);
}
