import type { EmbeddedPart } from '../../format.js';
import type { PdfObjects } from './objects/pdf-objects.js';
import type { PdfDict, PdfStream, PdfValue } from './objects/pdf-value.js';

/**
 * Files inside a PDF. A file specification names a file and holds it in `EF`, possibly in versions for several systems.
 * Specifications hang in the name tree of the catalog, in its associated files, and at annotations.
 */
export class PdfAttachments {
  readonly #objects: PdfObjects;
  readonly #given = new Set<PdfStream>();

  constructor(objects: PdfObjects) {
    this.#objects = objects;
  }

  /** The files of the whole document that `ofSpecification` has not given yet. */
  *ofDocument(): Generator<EmbeddedPart> {
    const { entries } = this.#objects.catalog;
    const names = this.#objects.dict(this.#objects.dict(entries.get('Names'))?.entries.get('EmbeddedFiles'));
    if (names !== undefined) for (const [name, file] of this.#tree(names)) yield* this.ofSpecification(file, name);
    for (const item of this.#objects.items(entries.get('AF'))) {
      const file = this.#objects.dict(item);
      if (file !== undefined) yield* this.ofSpecification(file);
    }
  }

  /** The versions of one file, each stream once. */
  *ofSpecification(file: PdfDict, fallbackName = ''): Generator<EmbeddedPart> {
    const embedded = this.#objects.dict(file.entries.get('EF'));
    if (embedded === undefined) return;
    const unicodeName = this.#objects.text(file.entries.get('UF'));
    for (const key of embedded.entries.has('F') ? ['F', 'Mac', 'DOS', 'Unix'] : ['UF', 'Mac', 'DOS', 'Unix']) {
      const stream = this.#objects.stream(embedded.entries.get(key));
      if (stream === undefined || this.#given.has(stream)) continue;
      this.#given.add(stream);
      const bytes = this.#objects.streamBytes(stream);
      const candidates = [this.#objects.text(file.entries.get(key)), unicodeName, fallbackName];
      const name = candidates.find((each) => each !== undefined && each.trim() !== '') ?? '';
      if (bytes !== undefined) yield { name, bytes, printName: false };
    }
  }

  /** Name and specification pairs of a name tree, without recursion since damaged trees may be loops. */
  *#tree(root: PdfDict): Generator<readonly [string, PdfDict]> {
    const open: PdfValue[] = [root];
    const seen = new Set<PdfDict>();
    while (open.length > 0) {
      const node = this.#objects.dict(open.pop());
      if (node === undefined || seen.has(node)) continue;
      seen.add(node);
      const names = this.#objects.items(node.entries.get('Names'));
      for (let index = 0; index + 1 < names.length; index += 2) {
        const file = this.#objects.dict(names[index + 1]);
        if (file !== undefined) yield [this.#objects.text(names[index]) ?? '', file];
      }
      open.push(...this.#objects.items(node.entries.get('Kids')).toReversed());
    }
  }
}
