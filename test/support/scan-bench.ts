import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { systemClock, type Clock } from '../../src/base/clock.js';
import { sign } from '../../src/base/digest.js';
import { Scan } from '../../src/crawler/scan/scan.js';
import type { SharedListing } from '../../src/crawler/scan/shared-listing.js';
import { ScanRules } from '../../src/crawler/scan/scan-rules.js';
import { DocumentRules } from '../../src/ingest/document-rules.js';
import type { JobSettings } from '../../src/settings/job-settings.js';
import { loadSettings } from '../../src/settings/load-settings.js';
import { LocalSource } from '../../src/source/local/local-source.js';
import type { TreeSource } from '../../src/source/source.js';
import { SqliteCatalog } from '../../src/state/sqlite-catalog.js';
import { MemoryScanPort } from './memory-scan-port.js';

/** A tree on disk, a catalog, and an index in memory: everything that a scan needs, and runs of it on demand. */
export class ScanBench {
  readonly directory = mkdtempSync(join(tmpdir(), 'crawler-scan-'));
  readonly root = join(this.directory, 'tree');
  readonly port: MemoryScanPort;
  catalog: SqliteCatalog;
  extractorVersion = '1';
  indexIdentity = 'index-1';
  source: TreeSource | undefined;
  clock: Clock = systemClock;
  maxUnderWay = 8;
  sharedListing: SharedListing | undefined;
  /** Names of files that somebody is still writing. */
  readonly unsettled = new Set<string>();
  scan: Scan | undefined;
  #overrides: string[] = [];
  #scans = 0;

  constructor() {
    mkdirSync(this.root, { recursive: true });
    this.port = new MemoryScanPort((path) => sign('MD5', path));
    this.catalog = new SqliteCatalog(join(this.directory, 'catalog.db'));
  }

  set(...overrides: string[]): this {
    this.#overrides = overrides;
    return this;
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

  /** Runs a scan to its end; `resume` continues an unfinished one. */
  async run({ resume = false, afterRestart = false } = {}): ReturnType<Scan['run']> {
    this.port.extracted.length = 0;
    this.port.moves.length = 0;
    this.#scans += 1;
    this.scan = this.newScan();
    return await this.scan.run({ resume, afterRestart, scanId: `scan-${this.#scans}`, startedMs: Date.now() });
  }

  /** Scans some folders, given by their names below the root, or the whole tree. */
  async scanChanges(folders: readonly string[] | 'tree'): ReturnType<Scan['scanChanges']> {
    this.port.extracted.length = 0;
    this.port.moves.length = 0;
    this.scan = this.newScan();
    const paths = folders === 'tree' ? [] : folders.map((name) => (name === '' ? this.root : this.path(name)));
    return await this.scan.scanChanges({ folders: paths, wide: folders === 'tree' });
  }

  rules(): ScanRules {
    const { settings } = this;
    return new ScanRules(settings, new DocumentRules(settings, undefined), this.extractorVersion);
  }

  newScan(): Scan {
    return new Scan({
      rules: this.rules(),
      source: this.source ?? new LocalSource({ followSymlinks: this.settings.fs.followSymlinks }),
      catalog: this.catalog,
      port: this.port,
      clock: this.clock,
      indexIdentity: this.indexIdentity,
      maxUnderWay: this.maxUnderWay,
      sharedListing: this.sharedListing,
      isUnstable: (_folder, name) => this.unsettled.has(name),
    });
  }

  get settings(): JobSettings {
    const { settings } = loadSettings({
      configDir: this.directory,
      job: 'job',
      env: {},
      overrides: [`fs.url=${this.root}`, 'engine.index=docs', 'engine.index_folder=folders', ...this.#overrides],
      fsJavaOpts: undefined,
    });
    return settings;
  }

  /** Names of the indexed documents below the root. */
  indexed(): string[] {
    return this.port.paths('docs').map((path) => path.slice(this.root.length + 1));
  }

  extracted(): string[] {
    return this.port.extracted.map((path) => path.slice(this.root.length + 1)).sort();
  }

  reopenCatalog(): void {
    this.catalog.close();
    this.catalog = new SqliteCatalog(join(this.directory, 'catalog.db'));
  }

  dispose(): void {
    this.catalog.close();
    rmSync(this.directory, { recursive: true, force: true });
  }
}
