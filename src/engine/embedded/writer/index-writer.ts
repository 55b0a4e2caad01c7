import { messageOf } from '../../../base/errors.js';
import { toStorableText, type Database, type Statement } from '../../../base/sqlite.js';
import { indexNameFault } from '../../../model/index-names.js';
import type { WriteOutcome } from '../../engine.js';
import { TooManyFields } from '../fields/field-registry.js';
import { fieldValues, UnfitDocument, type FieldValues } from '../fields/field-values.js';
import { markCorrupt } from '../store/corruption-marker.js';
import { concernsTheFile, indexFailure } from '../store/index-failure.js';
import { FORGET_OVERVIEWS } from '../store/overview-of.js';
import { packBody, type PackedBody } from '../store/packed-body.js';
import { indexTables } from '../store/schema.js';
import type { OperationMessage } from '../threads/protocol.js';
import { DocumentTable } from './document-table.js';
import { GeneratedIds } from './generated-id.js';
import { idFault } from './operation-rules.js';

/**
 * Carries out operations, a call a transaction. What can be wrong with a document is found before anything of it is
 * written, so it costs only itself. A fault of the file (a full disk) costs the whole transaction: nothing of it stays, and
 * each of its operations may be sent again. Any other fault is some document's: then each gets a transaction of its own.
 */
export class IndexWriter {
  readonly #database: Database;
  readonly #ids = new GeneratedIds();
  readonly #tables = new Map<string, DocumentTable>();
  readonly #findIndex: Statement<{ id: number }>;
  readonly #addIndex: Statement;
  readonly #forgetOverviews: Statement;

  constructor(database: Database) {
    this.#database = database;
    this.#findIndex = database.prepare('SELECT id FROM idx WHERE name = ?');
    this.#addIndex = database.prepare('INSERT INTO idx(name) VALUES(?)');
    this.#forgetOverviews = database.prepare(FORGET_OVERVIEWS);
  }

  /** Outcomes in the order of the operations. When it returns, what is ok is on the disk. */
  apply(operations: readonly OperationMessage[]): WriteOutcome[] {
    try {
      return this.#transaction(operations);
    } catch (error) {
      for (const table of this.#tables.values()) table.abandon();
      // An index that this transaction created is gone with it.
      this.#tables.clear();
      if (concernsTheFile(error)) {
        const { code, message, corruption } = indexFailure(this.#database.path, error);
        if (corruption !== undefined) markCorrupt(this.#database.path, corruption);
        const full = code === 'disk_full' ? { isDiskFull: true } : {};
        return operations.map(({ id }) => ({ ok: false, id, code: 'unavailable', message, ...full }));
      }
      if (operations.length > 1) return operations.flatMap((operation) => this.apply([operation]));
      return operations.map(({ id }) => rejected(id, `The document cannot be stored: ${messageOf(error)}`));
    }
  }

  #transaction(operations: readonly OperationMessage[]): WriteOutcome[] {
    const touched = new Set<DocumentTable>();
    return this.#database.transaction(() => {
      this.#forgetOverviews.run();
      const outcomes = operations.map((operation) => this.#carryOut(operation, touched));
      for (const table of touched) table.finish();
      return outcomes;
    });
  }

  #carryOut(operation: OperationMessage, touched: Set<DocumentTable>): WriteOutcome {
    const id = operation.id === undefined ? this.#ids.next(Date.now()) : toStorableText(operation.id);
    const fault = indexNameFault(operation.index) ?? idFault(id);
    if (fault !== undefined) return rejected(operation.id, fault);
    return operation.kind === 'delete' ? this.#remove(operation.index, id, touched) : this.#put(operation, id, touched);
  }

  #put(operation: OperationMessage & { kind: 'index' }, id: string, touched: Set<DocumentTable>): WriteOutcome {
    const document = readDocument(operation.json);
    if (typeof document === 'string') return rejected(id, document);
    const table = this.#table(operation.index) ?? this.#createTable(operation.index);
    touched.add(table);
    if (operation.create && table.has(id)) return { ok: true, id };
    try {
      table.put(id, document.values, document.body);
    } catch (error) {
      if (error instanceof TooManyFields) return rejected(id, error.message);
      throw error;
    }
    return { ok: true, id };
  }

  #remove(index: string, id: string, touched: Set<DocumentTable>): WriteOutcome {
    const table = this.#table(index);
    if (table !== undefined) touched.add(table);
    if (table?.remove(id)) return { ok: true, id };
    return { ok: false, id, code: 'not_found', message: `Document ${index}/${id} does not exist` };
  }

  #table(index: string): DocumentTable | undefined {
    const known = this.#tables.get(index);
    if (known !== undefined) return known;
    const found = this.#findIndex.get(index);
    return found === undefined ? undefined : this.#openTable(index, found.id);
  }

  #createTable(index: string): DocumentTable {
    const id = this.#addIndex.run(index).lastInsertRowid;
    this.#database.exec(indexTables(id));
    return this.#openTable(index, id);
  }

  #openTable(index: string, id: number): DocumentTable {
    const table = new DocumentTable(this.#database, id);
    this.#tables.set(index, table);
    return table;
  }
}

/** The document ready to be written, or a sentence about what is wrong with it. */
function readDocument(json: string): { readonly values: FieldValues; readonly body: PackedBody } | string {
  try {
    return { values: fieldValues(JSON.parse(json) as Record<string, unknown>), body: packBody(json) };
  } catch (error) {
    if (error instanceof UnfitDocument) return error.message;
    throw error;
  }
}

function rejected(id: string | undefined, message: string): WriteOutcome {
  return { ok: false, id, code: 'rejected', message };
}
