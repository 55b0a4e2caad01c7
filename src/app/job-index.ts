import { dirname } from 'node:path';
import { systemClock } from '../base/clock.js';
import { packageVersion } from '../base/package-root.js';
import type { SearchEngine } from '../engine/engine.js';
import { openEngine } from '../engine/registry.js';
import { searchFieldsOf } from '../engine/search-fields.js';
import { CallFault } from '../mcp/call-fault.js';
import type { OpenIndex } from '../mcp/mcp-context.js';
import type { JobContext } from '../operations/job/job-context.js';
import { DocumentTexts } from '../search/document-text.js';
import { IndexSearch } from '../search/index-search.js';
import { isEmbedded } from '../settings/engine-provider.js';
import { hasState } from '../settings/jobs.js';

/** The index of a job for a process beside its crawler: opened when it is first needed, and again when it was replaced. */
export class JobIndex {
  readonly #job: JobContext;
  #engine: SearchEngine | undefined;
  #index: Promise<OpenIndex> | undefined;
  #identity: string | undefined;
  /** Of the index with this identity. */
  #texts: DocumentTexts | undefined;

  constructor(job: JobContext) {
    this.#job = job;
  }

  /** A cluster is asked whether there is one. */
  exists(): boolean {
    const { settings, jobDirectory } = this.#job;
    return !isEmbedded(settings.engine) || hasState(dirname(jobDirectory), settings.name);
  }

  async open(): Promise<OpenIndex> {
    if (!this.exists()) throw notCrawledYet(this.#job);
    this.#index ??= this.#open();
    const index = await this.#index;
    if (!isEmbedded(this.#job.settings.engine)) return index;
    // The file of an embedded index may have been replaced: asked for its identity, the engine opens the new one.
    const identity = await index.search.searched.engine.identity(this.#job.signal);
    if (this.#identity !== identity) this.#texts = new DocumentTexts(index.search);
    this.#identity = identity;
    return { ...index, texts: this.#texts ?? index.texts };
  }

  async close(): Promise<void> {
    await this.#engine?.close();
  }

  async #open(): Promise<OpenIndex> {
    const { settings, jobDirectory, logger } = this.#job;
    this.#engine = await openEngine(settings, {
      jobDirectory,
      baseUrl: () => undefined,
      version: packageVersion(),
      clock: systemClock,
      logger,
    });
    const { index } = settings.engine;
    const search = new IndexSearch({ engine: this.#engine, index, searchFields: searchFieldsOf(settings) });
    return { search, texts: new DocumentTexts(search) };
  }
}

/** No path of this machine but the root is in it. */
function notCrawledYet({ settings: { name, fs } }: JobContext): CallFault {
  return new CallFault(
    `Nothing has been indexed yet: the job [${name}] was never run. Ask the user to run [crawler ${name} --loop 1], or for a folder without a job [crawler ${fs.url} --loop 1], and call again.`,
  );
}
