import { CrawlerError } from '../base/errors.js';
import { formatOf, refuseNewer, type FileDescription } from '../base/file-format.js';
import type { Catalog } from './catalog.js';
import { prepareCatalogFile } from './catalog-file.js';
import { catalogFormat } from './catalog-upgrades.js';
import { CatalogDatabase } from './sqlite/catalog-database.js';
import { SqliteDeletions } from './sqlite/sqlite-deletions.js';
import { SqliteFacts } from './sqlite/sqlite-facts.js';
import { SqliteFrontier } from './sqlite/sqlite-frontier.js';
import { SqliteRecords } from './sqlite/sqlite-records.js';
import { SqliteReports } from './sqlite/sqlite-reports.js';

/** The catalog in one SQLite file. One process writes it (the crawl's thread), any number may read. */
export class SqliteCatalog implements Catalog {
  readonly facts: SqliteFacts;
  readonly frontier: SqliteFrontier;
  readonly records: SqliteRecords;
  readonly deletions: SqliteDeletions;
  readonly reports: SqliteReports;
  readonly #file: CatalogDatabase;

  constructor(path: string, options: { readonly readOnly?: boolean } = {}) {
    if (options.readOnly !== true) prepareCatalogFile(path);
    this.#file = new CatalogDatabase(path, options);
    this.facts = new SqliteFacts(this.#file);
    this.frontier = new SqliteFrontier(this.#file, this.facts);
    this.records = new SqliteRecords(this.#file);
    this.deletions = new SqliteDeletions(this.#file);
    this.reports = new SqliteReports(this.#file);
  }

  batch(work: () => void): void {
    this.#file.batch(work);
  }

  /** The number of its format, and the program that gave it. */
  format(): FileDescription {
    return { format: formatOf(this.#file.database), writtenBy: this.facts.fact('written_by') };
  }

  /**
   * Throws `catalog_damaged` when the file cannot be trusted, `unsupported` or `conflict` for one of another release: it is
   * sound, but not for this program or not yet. Cheap: the structure of the small tables, not of every row.
   */
  check(): void {
    const { database } = this.#file;
    const found = formatOf(database);
    if (found === 0) throw damaged(`unknown version of the catalog: ${found}`);
    refuseNewer(database, catalogFormat);
    if (found < catalogFormat.current) throw notUpgraded(database.path, found);
    const result = this.#file.sql("PRAGMA quick_check('folder')").get();
    const answer = result === undefined ? 'ok' : Object.values(result)[0];
    if (answer !== 'ok') throw damaged(`database disk image is malformed: ${String(answer)}`);
  }

  close(): void {
    this.#file.database.close();
  }
}

function damaged(what: string): CrawlerError {
  return new CrawlerError('catalog_damaged', what);
}

function notUpgraded(path: string, format: number): CrawlerError {
  const message = `The catalog [${path}] is one of an earlier release (format ${format}). The next run of the job upgrades it.`;
  return new CrawlerError('conflict', message, { subject: path });
}
