import { statfsSync } from 'node:fs';
import { openSmallTexts, type Extraction, type SmallTexts } from '../../extract/index.js';
import type { DocumentRules } from '../../ingest/document-rules.js';
import type { ExtractedText } from '../../ingest/ingest.js';
import type { Entry } from '../../model/entry.js';
import type { TreeSource } from '../../source/source.js';

/**
 * Small texts on disks of this machine are read and extracted by the thread that lists them. Their way to a process and back costs
 * more than they do, and a folder of notes needs no process at all.
 */
export class LocalTexts {
  readonly #texts: SmallTexts;
  readonly #rules: DocumentRules;
  readonly #source: TreeSource;
  readonly #isLocal = new Map<number, boolean>();
  /** One after another, so that the time of each is its own. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(texts: SmallTexts, rules: DocumentRules, source: TreeSource) {
    this.#texts = texts;
    this.#rules = rules;
    this.#source = source;
  }

  /** Undefined for what is for the processes. */
  async extract(entry: Entry): Promise<ExtractedText | undefined> {
    const { name, size, device } = entry;
    if (!this.#texts.mayTake(name, size)) return undefined;
    const path = this.#source.localPath(entry);
    if (path === undefined || !this.#isOnLocalDisk(device, path)) return undefined;
    const options = this.#rules.extractionOptions(size, []);
    const extracted = this.#last.then(() =>
      timed(this.#texts.extract({ name, size, content: { kind: 'path', path }, options })),
    );
    this.#last = extracted;
    return await extracted;
  }

  /** Where a server does not respond, a process may wait for it, but not the thread. */
  #isOnLocalDisk(device: number, path: string | Uint8Array): boolean {
    const known = this.#isLocal.get(device);
    if (known !== undefined) return known;
    try {
      const isLocal = LOCAL_DISKS.has(statfsSync(path as string).type);
      this.#isLocal.set(device, isLocal);
      return isLocal;
    } catch {
      return false;
    }
  }
}

async function timed(work: Promise<Extraction | undefined>): Promise<ExtractedText | undefined> {
  const startedMs = performance.now();
  const extraction = await work;
  return extraction === undefined ? undefined : { extraction, elapsedMs: performance.now() - startedMs };
}

/** As `statfs` names them on Linux: ext2 to ext4, XFS, Btrfs, F2FS, ZFS, bcachefs, overlay, tmpfs. */
const LOCAL_DISKS: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x2fc12fc1, 0xca451a4e, 0x794c7630, 0x01021994,
]);

/** Undefined where every file is for the extraction processes. */
export async function openLocalTexts(rules: DocumentRules, source: TreeSource): Promise<LocalTexts | undefined> {
  if (source.type !== 'local') return undefined;
  const texts = await openSmallTexts(rules.settings);
  return texts === undefined ? undefined : new LocalTexts(texts, rules, source);
}
