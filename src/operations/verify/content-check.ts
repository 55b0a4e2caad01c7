import type { CrawlerError } from '../../base/errors.js';
import { parentPath } from '../../base/path.js';
import { Semaphore } from '../../base/semaphore.js';
import { fingerprintOf, sameFingerprint } from '../../crawler/scan/reconcile.js';
import { toFault } from '../../crawler/scan/scan-context.js';
import type { ScanRules } from '../../crawler/scan/scan-rules.js';
import type { SearchEngine } from '../../engine/engine.js';
import type { MetadataFile } from '../../ingest/document-rules.js';
import type { DocumentSource } from '../../model/document.js';
import type { Entry } from '../../model/entry.js';
import type { TreeSource } from '../../source/source.js';

/** What a file should look like in the index. */
export type ExpectedContent =
  | { readonly kind: 'checksum'; readonly checksum: string }
  | { readonly kind: 'text'; readonly text: string | undefined }
  | { readonly kind: 'failed'; readonly message: string };

export interface ContentCheckDeps {
  readonly engine: SearchEngine;
  readonly rules: ScanRules;
  readonly source: TreeSource;
  readonly signal: AbortSignal;
  /** `checksum`: the documents hold one (fs.checksum), so that a file has only to be read. Else it is extracted again. */
  readonly by: 'checksum' | 'text';
  readonly expect: (entry: Entry, metadata: MetadataFile | undefined) => Promise<ExpectedContent>;
  /** Files compared at the same time. */
  readonly concurrency: number;
}

/** Compares the content of files with what the index holds of them, a few at a time. */
export class ContentCheck {
  readonly #deps: ContentCheckDeps;
  readonly #semaphore: Semaphore;
  readonly #report: (path: string, detail: string) => void;
  #compared = 0;
  #failed = 0;
  #fault: CrawlerError | undefined;

  /** @param report called for each file whose content differs */
  constructor(deps: ContentCheckDeps, report: (path: string, detail: string) => void) {
    this.#deps = deps;
    this.#report = report;
    this.#semaphore = new Semaphore(deps.concurrency);
  }

  get counts(): { readonly compared: number; readonly failed: number } {
    return { compared: this.#compared, failed: this.#failed };
  }

  /** Resolves when the file is under way. */
  async take(entry: Entry, metadata: MetadataFile | undefined): Promise<void> {
    if (this.#fault !== undefined) throw this.#fault;
    await this.#semaphore.acquire();
    void this.#compare(entry, metadata)
      .catch((error: unknown) => {
        this.#fault ??= toFault(error);
      })
      .finally(() => this.#semaphore.release());
  }

  async finish(): Promise<void> {
    await this.#semaphore.idle();
    if (this.#fault !== undefined) throw this.#fault;
  }

  async #compare(entry: Entry, metadata: MetadataFile | undefined): Promise<void> {
    const { engine, rules, signal, expect } = this.#deps;
    const id = rules.documentId(parentPath(entry.path) ?? '', entry.name);
    const [expected, stored] = await Promise.all([expect(entry, metadata), engine.get(rules.index, id, signal)]);
    // That it is missing is found elsewhere.
    if (stored === undefined) return;
    if (expected.kind === 'failed') {
      this.#failed += 1;
      return;
    }
    this.#compared += 1;
    const detail = differenceOf(expected, stored.source);
    if (detail !== undefined && (await this.#isUnchanged(entry))) this.#report(entry.path, detail);
  }

  /** A file that has changed since it was listed is the next scan's business. */
  async #isUnchanged(entry: Entry): Promise<boolean> {
    const { source, signal } = this.#deps;
    const now = await source.stat(entry.path, signal).catch(() => undefined);
    return now !== undefined && sameFingerprint(fingerprintOf(now), fingerprintOf(entry));
  }
}

function differenceOf(
  expected: ExpectedContent & { kind: 'checksum' | 'text' },
  source: DocumentSource,
): string | undefined {
  if (expected.kind === 'checksum') {
    const stored = (source['file'] as Readonly<Record<string, unknown>> | undefined)?.['checksum'];
    if (stored === expected.checksum) return undefined;
    return typeof stored === 'string'
      ? `checksum ${expected.checksum}, in the index ${stored}`
      : 'the document has no checksum';
  }
  const stored = source['content'];
  const text = typeof stored === 'string' ? stored : undefined;
  if ((expected.text ?? '') === (text ?? '')) return undefined;
  return `${(expected.text ?? '').length} characters, in the index ${(text ?? '').length}`;
}
