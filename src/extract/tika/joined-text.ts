import type { ExtractedMember, Metadata } from '../extraction.js';
import type { TextBuffer } from '../text-buffer.js';

/**
 * One text out of the texts of a document and of the parts inside it. The server keeps them apart and prints the names of
 * some parts (entries of archives, pictures) as lines in the text of what holds them. The text of such a part goes behind
 * its name, and the texts of the others to the end of what holds them – as the embedded extractor writes it.
 */
export interface TikaPart {
  readonly name: string;
  readonly contentType: string;
  readonly metadata: Metadata;
  readonly content: string;
}

interface Node {
  readonly part: TikaPart;
  readonly depth: number;
  readonly children: Node[];
}

/** @param parts the document, then its parts, each behind the parts inside it */
export function joinText(parts: readonly TikaPart[], text: TextBuffer): readonly ExtractedMember[] {
  const members: ExtractedMember[] = [];
  const root = treeOf(parts);
  if (root !== undefined) writePart(root, text, members);
  return members;
}

/** By their id paths: `/3/5` is inside `/3`. A part without one is directly in the document. */
function treeOf([document, ...parts]: readonly TikaPart[]): Node | undefined {
  if (document === undefined) return undefined;
  const root: Node = { part: document, depth: 0, children: [] };
  const nodes = [root];
  const byId = new Map<string, Node>();
  // What holds a part stands behind it, so from the end every holder is met first.
  for (const part of [...parts].reverse()) {
    const id = part.metadata['tk:embedded_id_path']?.[0] ?? '';
    const holder = byId.get(id.slice(0, Math.max(0, id.lastIndexOf('/')))) ?? root;
    const node: Node = { part, depth: holder.depth + 1, children: [] };
    if (id !== '') byId.set(id, node);
    nodes.push(node);
    holder.children.push(node);
  }
  for (const { children } of nodes) children.reverse();
  return root;
}

function writePart({ part, children }: Node, text: TextBuffer, members: ExtractedMember[]): void {
  const { content } = part;
  const names = new PrintedNames(
    content,
    children.map((child) => child.part.name),
  );
  const unnamed: Node[] = [];
  let at = 0;
  for (const child of children) {
    const end = names.endOf(child.part.name, at);
    if (end === undefined) {
      unnamed.push(child);
      continue;
    }
    writeLines(content.slice(at, end), text);
    at = end;
    writeMember(child, text, members);
  }
  if (unnamed.length === 0) text.write(content.slice(at));
  else writeLines(content.slice(at), text);
  for (const child of unnamed) writeMember(child, text, members);
}

/** The text of a part begins on a line of its own. */
function writeLines(lines: string, text: TextBuffer): void {
  text.write(lines === '' || lines.endsWith('\n') ? lines : `${lines}\n`);
}

function writeMember(node: Node, text: TextBuffer, members: ExtractedMember[]): void {
  if (text.full) return;
  const from = text.length;
  writePart(node, text, members);
  const { name, contentType, metadata } = node.part;
  members.push({ name, contentType, depth: node.depth, from, to: text.length, metadata });
  if (text.length > from) text.write('\n');
}

/** Where in a text the lines are that consist of a name, found in one pass. */
class PrintedNames {
  readonly #ends = new Map<string, number[]>();

  constructor(content: string, names: readonly string[]) {
    for (const name of names) if (name !== '') this.#ends.set(name, []);
    if (this.#ends.size === 0) return;
    for (let from = 0; from < content.length;) {
      const feed = content.indexOf('\n', from);
      const end = feed === -1 ? content.length : feed + 1;
      this.#ends.get(content.slice(from, end).trim())?.push(end);
      from = end;
    }
  }

  /** Behind the first line with that name that begins at `from` or later. */
  endOf(name: string, from: number): number | undefined {
    const ends = this.#ends.get(name);
    while (ends !== undefined && ends.length > 0) {
      const end = ends.shift();
      if (end !== undefined && end > from) return end;
    }
    return undefined;
  }
}
