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
  const asked = partsOfHref(requestPath);
  const shortest = placed.reduce<Placed | undefined>(
    (least, each) => (least === undefined || each.parts.length < least.parts.length ? each : least),
    undefined,
  );
  const folder = placed.find(({ parts }) => isSame(parts, asked)) ?? shortest;
  if (folder === undefined) throw new Error('the answer names nothing, not even the folder itself');
  if (!isSame(folder.parts, asked) && !isMoved(folder, placed)) {
    throw new Error(`the answer does not name the folder itself, but [${folder.response.href}]`);
  }
  const members = new Map<string, DavResponse>();
  for (const { response, parts } of placed) {
    if (isSame(parts, folder.parts)) continue;
    const [name, ...deeper] = parts.slice(folder.parts.length);
    if (name === undefined || !isSame(parts.slice(0, folder.parts.length), folder.parts)) {
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
function isMoved(folder: Placed, all: readonly Placed[]): boolean {
  return (
    folder.response.isFolder && all.every(({ parts }) => isSame(parts.slice(0, folder.parts.length), folder.parts))
  );
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((part, at) => part === b[at]);
}
