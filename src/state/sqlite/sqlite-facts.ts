import type { CatalogFacts } from '../catalog.js';
import type { CatalogDatabase } from './catalog-database.js';

/** Facts that belong to the catalog as a whole (engine identity, device of the root …), and what concerns all of it. */
export class SqliteFacts implements CatalogFacts {
  readonly #catalog: CatalogDatabase;

  constructor(catalog: CatalogDatabase) {
    this.#catalog = catalog;
  }

  fact(name: string): string | undefined {
    return this.#catalog.sql('SELECT value FROM fact WHERE name = ?').get(name)?.['value'] as string | undefined;
  }

  setFact(name: string, value: string | undefined): void {
    if (value === undefined) this.#catalog.sql('DELETE FROM fact WHERE name = ?').run(name);
    else this.#catalog.sql('INSERT OR REPLACE INTO fact(name, value) VALUES (?, ?)').run(name, value);
  }

  forgetRules(): void {
    this.#catalog.batch(() => {
      this.#catalog.sql('UPDATE file SET rules = 0').run();
      this.#catalog.sql("UPDATE folder SET digest = '', document_ms = 0").run();
    });
  }

  clear(): void {
    this.#catalog.batch(() => {
      for (const table of ['file', 'note', 'folder']) this.#catalog.database.exec(`DELETE FROM ${table}`);
      this.#catalog.sql("DELETE FROM fact WHERE name NOT IN ('written_by', 'scan.number')").run();
    });
  }
}
