import type { Buffer } from 'node:buffer';
import { sign } from '../../src/base/digest.js';
import { CrawlerError, messageOf } from '../../src/base/errors.js';
import { extensionOf } from '../../src/base/path.js';
import type { SearchEngine } from '../../src/engine/engine.js';
import type { IngestItem, IngestOutcome, Ingester, RemoveOutcome } from '../../src/ingest/ingest.js';
import { toLocalDateTime } from '../../src/model/dates.js';
import type { CrawlDocument } from '../../src/model/document.js';
import type { Problem } from '../../src/model/reason.js';
import { mergeTags } from '../../src/model/tags.js';
import { readContent } from './read-content.js';

/**
 * The ingester without extractors: the text of a document is its bytes. A document that begins with `LOCKED <password>\n`
 * opens with that password only.
 */
export class MemoryIngester implements Ingester {
  readonly #engine: SearchEngine;
  readonly #index: string;
  /** Documents wait here before they are written. */
  gate: Promise<void> = Promise.resolve();
  /** What the service handed over, newest last. */
  readonly items: IngestItem[] = [];

  constructor(engine: SearchEngine, index: string) {
    this.#engine = engine;
    this.#index = index;
  }

  idOf(filename: string): string {
    return sign('MD5', filename);
  }

  async ingest(item: IngestItem, signal: AbortSignal): Promise<IngestOutcome> {
    this.items.push(item);
    const index = item.index ?? this.#index;
    try {
      const bytes = await readContent(item.content, signal);
      await Promise.race([this.gate, aborted(signal)]);
      const { document, problem } = build(item, bytes);
      return await this.#store(item, index, document, problem, signal);
    } catch (error) {
      if (signal.aborted) throw new CrawlerError('cancelled', 'The work was cancelled.', { cause: error });
      const reason =
        error instanceof CrawlerError && error.code === 'invalid_metadata' ? 'invalid_metadata' : 'internal';
      const { filename } = item.place;
      return { status: 'failed', id: undefined, index, filename, problem: { reason, message: messageOf(error) } };
    }
  }

  async remove(index: string | undefined, id: string, signal: AbortSignal): Promise<RemoveOutcome> {
    const target = index ?? this.#index;
    const [outcome] = await this.#engine.write([{ kind: 'delete', index: target, id }], signal);
    if (outcome === undefined || outcome.ok)
      return { ok: true, id, index: target, reason: undefined, message: undefined };
    const reason = outcome.code === 'rate_limited' ? 'unavailable' : outcome.code;
    return { ok: false, id, index: target, reason, message: outcome.message };
  }

  flush(): Promise<void> {
    return Promise.resolve();
  }

  async #store(
    item: IngestItem,
    index: string,
    document: CrawlDocument,
    problem: Problem | undefined,
    signal: AbortSignal,
  ): Promise<IngestOutcome> {
    const filename = document.file?.filename ?? item.place.filename;
    const id = item.id === '_auto_' ? undefined : (item.id ?? this.idOf(filename));
    const stored = { index, filename, document, problem };
    if (item.simulate === true) return { status: 'indexed', id: id ?? '_auto_', ...stored };
    const [outcome] = await this.#engine.write([{ kind: 'index', index, id, document: { ...document } }], signal);
    if (outcome?.ok === true) return { status: 'indexed', id: outcome.id, ...stored };
    const reason = outcome?.code === 'rejected' ? 'rejected' : 'unavailable';
    return { status: 'failed', id, index, filename, problem: { reason, message: outcome?.message ?? 'no answer' } };
  }
}

function build(item: IngestItem, bytes: Buffer): { document: CrawlDocument; problem: Problem | undefined } {
  const { filename, real, virtual } = item.place;
  const { text, problem } = opened(bytes.toString('utf8'), item.password);
  const extension = extensionOf(filename);
  const document: CrawlDocument = {
    ...(text === '' ? {} : { content: text }),
    meta: {},
    file: {
      content_type: 'text/plain; charset=UTF-8',
      ...(extension === undefined ? {} : { extension }),
      filename,
      filesize: bytes.length,
      indexing_date: toLocalDateTime(Date.now()),
    },
    path: { real, virtual },
  };
  return { document: mergeTags(document, item.tags), problem };
}

function opened(text: string, password: string | undefined): { text: string; problem: Problem | undefined } {
  const [, key, rest = ''] = /^LOCKED (\S+)\n(.*)$/s.exec(text) ?? [];
  if (key === undefined) return { text, problem: undefined };
  if (key === password) return { text: rest, problem: undefined };
  return { text: '', problem: { reason: 'encrypted', message: 'It is encrypted and no password opens it.' } };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(new Error('aborted'));
    signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
  });
}
