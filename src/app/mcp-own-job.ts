import { CrawlerError, messageOf } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import { CallFault } from '../mcp/call-fault.js';
import type { AddDocument } from '../mcp/mcp-context.js';
import { addDocument } from '../operations/add/add-document.js';
import { fetchSources } from './fetch-sources.js';
import { Job } from './job.js';
import type { JobOptions } from './job-options.js';

export type OwnJobOptions = Pick<JobOptions, 'settings' | 'jobDirectory' | 'originOf' | 'logger' | 'documentLog'> & {
  /** Otherwise it only takes documents. */
  readonly crawls: boolean;
  readonly signal: AbortSignal;
  /** For the person who has started the server. */
  readonly console: Logger;
};

/**
 * The job of an MCP server, run in its process: it crawls, takes documents, or both. It starts while the server answers
 * already. Where another crawler runs the job, or the engine is away, the server only reads.
 */
export class OwnJob {
  readonly #options: OwnJobOptions;
  readonly #starting: Promise<Job>;

  constructor(options: OwnJobOptions) {
    this.#options = options;
    const { crawls, signal, console, ...parts } = options;
    const rest = { rest: false, restart: false, debug: false, onProgress: () => undefined };
    this.#starting = Job.start({ ...parts, ...rest, loops: crawls ? -1 : 0, signal });
    this.#starting.catch((error: unknown) => {
      if (signal.aborted) return;
      const isTaken = error instanceof CrawlerError && error.code === 'conflict';
      const why = isTaken ? `Another crawler is running the job [${parts.settings.name}].` : messageOf(error);
      console.warn(`${why} This server only ${crawls ? 'reads' : 'reads, and adds no documents'}.`);
    });
  }

  /** Documents become part of the job as uploads. */
  readonly add: AddDocument = async (source, signal) => {
    const job = await this.#starting.catch(() => {
      throw new CallFault(
        'Documents cannot be added here: another crawler is running the job, or it could not be started. Its service takes them (POST /_document).',
      );
    });
    // An assistant may do what a document has told it: addresses inside the network are closed to it.
    return await addDocument(
      { ingester: job.ingester, fetchSources: fetchSources(this.#options, true) },
      source,
      signal,
    );
  };

  async stop(): Promise<void> {
    await (await this.#starting.catch(() => undefined))?.stop();
  }
}
