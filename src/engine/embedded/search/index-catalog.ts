import { CrawlerError } from '../../../base/errors.js';
import type { IndexSummary } from '../../engine.js';
import type { RegisteredField } from '../fields/field-registry.js';
import { IndexFields } from '../fields/index-fields.js';
import { tablesOf, type IndexTables } from '../store/schema.js';
import { sql } from '../store/sql.js';
import type { Statements } from '../store/statements.js';

/** The indices of the file, as the reader sees them. Fields of an index are read again when it has got new ones. */
export interface OpenIndex {
  readonly name: string;
  readonly tables: IndexTables;
  readonly documents: number;
  readonly fields: IndexFields;
}

interface IndexRow {
  readonly id: number;
  readonly documents: number;
}

export class IndexCatalog {
  readonly #statements: Statements;
  readonly #fields = new Map<number, { readonly newest: number; readonly fields: IndexFields }>();

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  find(name: string): OpenIndex | undefined {
    const row = this.#statements.get<IndexRow>(sql`SELECT id, documents FROM idx WHERE name = ${name}`);
    if (row === undefined) return undefined;
    return { name, tables: tablesOf(row.id), documents: row.documents, fields: this.#fieldsOf(row.id) };
  }

  require(name: string): OpenIndex {
    const index = this.find(name);
    if (index === undefined) throw new CrawlerError('not_found', `There is no index [${name}].`, { subject: name });
    return index;
  }

  summaries(): IndexSummary[] {
    const rows = this.#statements.all<{ name: string; documents: number; bytes: number }>(
      sql`SELECT name, documents, bytes FROM idx ORDER BY name`,
    );
    return rows.map(({ name, documents, bytes }) => ({ index: name, documents, bytes }));
  }

  #fieldsOf(index: number): IndexFields {
    const newest = this.#statements.get<{ id: number | null }>(sql`SELECT max(id) AS id FROM field`)?.id ?? 0;
    const known = this.#fields.get(index);
    if (known?.newest === newest) return known.fields;
    const registered = this.#statements.all<RegisteredField>(
      sql`SELECT id, name, kind, type FROM field WHERE idx = ${index} ORDER BY id`,
    );
    const fields = new IndexFields(tablesOf(index), registered);
    this.#fields.set(index, { newest, fields });
    return fields;
  }
}
