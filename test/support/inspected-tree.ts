import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { silentLogger } from '../../src/base/logger.js';
import { packageVersion } from '../../src/base/package-root.js';
import type { JobContext } from '../../src/operations/job/job-context.js';
import { Job } from '../../src/app/job.js';
import { runOnce } from '../../src/app/run-once.js';
import { scanNow } from '../../src/operations/job/next-scan.js';
import { verifyJob, fixJob, type VerifyAnswer } from '../../src/operations/verify/verify-job.js';
import { explainPath, type PathAnswer } from '../../src/operations/explain/explain-path.js';
import type { Finding } from '../../src/operations/verify/findings.js';
import { EmbeddedEngine } from '../../src/engine/embedded/embedded-engine.js';
import type { SearchEngine } from '../../src/engine/engine.js';
import { loadSettings, type LoadedSettings } from '../../src/settings/load-settings.js';
import { SqliteCatalog } from '../../src/state/sqlite-catalog.js';

/** A tree on disk and a real job for it: catalog, embedded index, and the commands that inspect them. */
export class InspectedTree {
  readonly directory = mkdtempSync(join(tmpdir(), 'crawler-inspect-'));
  readonly root = join(this.directory, 'tree');
  readonly jobDirectory = join(this.directory, 'config', 'job');
  #overrides: readonly string[] = [];

  constructor() {
    mkdirSync(this.root, { recursive: true });
  }

  /** `--set` of every command and run from now on. */
  set(...overrides: string[]): this {
    this.#overrides = overrides;
    return this;
  }

  /** The job's settings file, line by line. */
  settings(...lines: string[]): void {
    mkdirSync(this.jobDirectory, { recursive: true });
    writeFileSync(join(this.jobDirectory, '_settings.yaml'), `${lines.join('\n')}\n`);
  }

  path(name: string): string {
    return join(this.root, name);
  }

  file(name: string, content = name): string {
    const path = this.path(name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  }

  loaded(): LoadedSettings {
    return loadSettings({
      configDir: join(this.directory, 'config'),
      job: 'job',
      env: {},
      overrides: [`fs.url=${this.root}`, ...this.#overrides],
      fsJavaOpts: undefined,
    });
  }

  place(): JobContext {
    const { settings } = this.loaded();
    return { settings, jobDirectory: this.jobDirectory, logger: silentLogger, signal: new AbortController().signal };
  }

  /** The crawler of the job, in this process. */
  start(loops: number): Promise<Job> {
    const { settings, jobDirectory } = this.place();
    return Job.start({
      settings,
      jobDirectory,
      loops,
      rest: false,
      restart: false,
      debug: false,
      logger: silentLogger,
      documentLog: silentLogger,
      onProgress: () => undefined,
    });
  }

  run(): Promise<void> {
    return scanNow(this.place(), runOnce);
  }

  why(name: string): Promise<PathAnswer> {
    return explainPath(this.place(), this.path(name), (setting) => this.loaded().originOf(setting));
  }

  async verify(options: { fix?: boolean; deep?: boolean } = {}): Promise<VerifyAnswer & { findings: Finding[] }> {
    const findings: Finding[] = [];
    const looking = {
      deep: options.deep === true,
      onFinding: (finding: Finding) => findings.push(finding),
      settle: () => Promise.resolve(),
      onProgress: () => undefined,
    };
    const answer =
      options.fix === true
        ? await fixJob(this.place(), looking, runOnce)
        : (await verifyJob(this.place(), looking)).answer;
    return { ...answer, findings };
  }

  /** `kind name` of every difference, sorted. */
  async differences(options: { deep?: boolean } = {}): Promise<string[]> {
    const { findings } = await this.verify(options);
    return findings.map(({ kind, path }) => `${kind} ${path.slice(this.root.length + 1)}`).sort();
  }

  /** Something done to the index behind the crawler's back. */
  async withEngine<T>(work: (engine: SearchEngine, index: string) => Promise<T>): Promise<T> {
    const { jobDirectory: directory } = this;
    const version = packageVersion();
    const engine = new EmbeddedEngine({ directory, baseUrl: () => undefined, version, logger: silentLogger });
    try {
      await engine.prepare(new AbortController().signal);
      return await work(engine, 'job_docs');
    } finally {
      await engine.close();
    }
  }

  /** Something done to the catalog behind the crawler's back. */
  withCatalog<T>(work: (catalog: SqliteCatalog) => T): T {
    const catalog = new SqliteCatalog(join(this.jobDirectory, 'catalog.db'));
    try {
      return work(catalog);
    } finally {
      catalog.close();
    }
  }

  dispose(): void {
    rmSync(this.directory, { recursive: true, force: true, maxRetries: 5 });
  }
}
