import type { Request, Response } from 'express';
import { sendRaw } from '../answer.js';
import { wildcard } from '../../base/wildcard.js';
import { sendApi } from './api-answer.js';
import { invalidArgument, unsupported } from './api-error.js';
import type { UrlParameters } from './url-parameters.js';

/**
 * `_cat`: tables for people, or their rows as JSON. `v` prints the heads, `h` chooses columns by their names, short names or
 * patterns, `s` sorts, `bytes` tells sizes in one unit.
 */
export const CAT_PARAMETERS = ['format', 'v', 'h', 's', 'bytes', 'time', 'ts', 'expand_wildcards'];

type Cell = string | number | null;

export interface CatColumn<Row> {
  readonly name: string;
  readonly short: readonly string[];
  /** Only shown when it is asked for. */
  readonly hidden?: true;
  /** Bytes are shown with a unit. */
  readonly isSize?: true;
  /** Null where there is no such value here. */
  value(row: Row): Cell;
}

interface ShownColumn<Row> {
  /** As it was asked for. */
  readonly head: string;
  readonly column: CatColumn<Row>;
}

export function sendCat<Row>(request: Request, response: Response, { columns, rows, parameters }: CatTable<Row>): void {
  const shown = shownColumns(columns, parameters);
  const unit = parameters.text('bytes');
  if (unit !== undefined && !Object.hasOwn(UNITS, unit)) throw unsupported(`[bytes=${unit}]`);
  const inOrder = sorted(rows, columns, parameters);
  const cells = inOrder.map((row) =>
    shown.map(({ column }) => (column.isSize ? shownSize(column.value(row), unit) : column.value(row))),
  );
  const heads = shown.map(({ head }) => head);
  if (wantsJson(request, parameters)) {
    const objects = cells.map((row) =>
      Object.fromEntries(heads.map((head, at) => [head, row[at] === null ? null : String(row[at])])),
    );
    sendApi(request, response, 200, objects);
    return;
  }
  const lines = cells.map((row) => row.map((cell) => String(cell ?? '')));
  const withHeads = parameters.flag('v') === true ? [heads, ...lines] : lines;
  sendRaw(response, 200, 'text/plain; charset=UTF-8', table(withHeads));
}

export interface CatTable<Row> {
  readonly columns: readonly CatColumn<Row>[];
  readonly rows: readonly Row[];
  readonly parameters: UrlParameters;
}

function shownColumns<Row>(columns: readonly CatColumn<Row>[], parameters: UrlParameters): readonly ShownColumn<Row>[] {
  const wanted = parameters.list('h');
  if (wanted === undefined) {
    const usual = columns.filter(({ hidden }) => hidden !== true);
    return usual.map((column) => ({ head: column.name, column }));
  }
  return wanted.flatMap((head) => {
    if (head.includes('*')) {
      const fitting = columns.filter(({ name }) => wildcard(head)(name));
      return fitting.map((column) => ({ head: column.name, column }));
    }
    return [{ head, column: columnCalled(columns, head) }];
  });
}

function columnCalled<Row>(columns: readonly CatColumn<Row>[], name: string): CatColumn<Row> {
  const column = columns.find((each) => each.name === name || each.short.includes(name));
  if (column === undefined) throw unsupported(`The column [${name}]`);
  return column;
}

/** `health:desc,index` */
function sorted<Row>(
  rows: readonly Row[],
  columns: readonly CatColumn<Row>[],
  parameters: UrlParameters,
): readonly Row[] {
  const keys = (parameters.list('s') ?? []).map((key) => {
    const [, name = key, order] = /^(.*):(asc|desc)$/.exec(key) ?? [];
    return { column: columnCalled(columns, name), sign: order === 'desc' ? -1 : 1 };
  });
  return [...rows].sort((left, right) => {
    for (const { column, sign } of keys) {
      const order = sign * compare(column.value(left), column.value(right));
      if (order !== 0) return order;
    }
    return 0;
  });
}

function compare(left: Cell, right: Cell): number {
  if (left === right) return 0;
  if (left === null || right === null) return left === null ? -1 : 1;
  return left < right ? -1 : 1;
}

function wantsJson(request: Request, parameters: UrlParameters): boolean {
  const format = parameters.text('format');
  if (format === undefined) return /^application\/(vnd\.elasticsearch\+)?json/.test(request.headers.accept ?? '');
  if (format !== 'json' && format !== 'text') throw invalidArgument(`The format [${format}] is not supported`);
  return format === 'json';
}

const UNITS: Readonly<Record<string, number>> = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3, tb: 1024 ** 4 };

function shownSize(bytes: Cell, unit: string | undefined): Cell {
  if (typeof bytes !== 'number') return bytes;
  if (unit !== undefined) return Math.floor(bytes / (UNITS[unit] ?? 1));
  const names = Object.keys(UNITS);
  let size = bytes;
  let at = 0;
  while (size >= 1024 && at < names.length - 1) {
    size /= 1024;
    at++;
  }
  const rounded = at === 0 ? String(size) : size.toFixed(1).replace(/\.0$/, '');
  return `${rounded}${names[at] ?? ''}`;
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  const lines = rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join(' ')
      .trimEnd(),
  );
  return lines.map((line) => `${line}\n`).join('');
}
