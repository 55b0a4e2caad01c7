import { CrawlerError } from '../../../base/errors.js';
import type { IndexWriter } from '../writer/index-writer.js';
import type { RecoveredDocument } from './recover-documents.js';

const BATCH = 200;

/** Writes recovered documents to the new index, and counts them. */
export class RecoveredDocuments {
  readonly #writer: IndexWriter;
  #waiting: RecoveredDocument[] = [];
  count = 0;
  doubtful = 0;
  withoutFile = 0;

  constructor(writer: IndexWriter) {
    this.#writer = writer;
  }

  add(document: RecoveredDocument): void {
    this.#waiting.push(document);
    if (this.#waiting.length === BATCH) this.write();
  }

  /** Throws when the disk fails. A document that the index would not take today is not counted. */
  write(): void {
    const documents = this.#waiting;
    this.#waiting = [];
    const operations = documents.map(
      ({ index, id, json }) => ({ kind: 'index', index, id, json, create: false }) as const,
    );
    this.#writer.apply(operations).forEach((outcome, at) => {
      if (!outcome.ok && outcome.code === 'unavailable') throw new CrawlerError('unavailable', outcome.message);
      const document = documents[at];
      if (!outcome.ok || document === undefined) return;
      this.count += 1;
      this.doubtful += Number(document.doubtful);
      this.withoutFile += Number(document.withoutFile);
    });
  }
}
