import type { Request, Response } from 'express';
import type { IndexSummary } from '../../engine/engine.js';
import { sendRaw } from '../answer.js';
import { ApiError, sendApi, unsupported } from './api-answer.js';
import { UrlParameters } from './url-parameters.js';

/** `_cat/indices`: a table for people, or its rows as JSON with `format=json`. `v` prints the heads, `h` chooses columns. */
export const CAT_PARAMETERS = ['format', 'v', 'h', 'bytes'];

type Row = Readonly<Record<string, string>>;

const COLUMNS = [
  'health',
  'status',
  'index',
  'uuid',
  'pri',
  'rep',
  'docs.count',
  'docs.deleted',
  'store.size',
  'pri.store.size',
];

export function sendCat(request: Request, response: Response, summaries: readonly IndexSummary[]): void {
  const parameters = new UrlParameters(request, CAT_PARAMETERS);
  const columns = columnsOf(parameters);
  const inBytes = bytesOnly(parameters);
  const rows = summaries.map((summary) => rowOf(summary, inBytes));
  if (wantsJson(request, parameters)) {
    sendApi(
      request,
      response,
      200,
      rows.map((row) => Object.fromEntries(columns.map((name) => [name, row[name]]))),
    );
    return;
  }
  const heads = parameters.flag('v') === true ? [Object.fromEntries(COLUMNS.map((name) => [name, name]))] : [];
  sendRaw(response, 200, 'text/plain; charset=UTF-8', table([...heads, ...rows], columns));
}

function columnsOf(parameters: UrlParameters): readonly string[] {
  const columns = parameters.list('h') ?? COLUMNS;
  const unknown = columns.find((name) => !COLUMNS.includes(name));
  if (unknown !== undefined) throw unsupported(`The column [${unknown}]`);
  return columns;
}

function bytesOnly(parameters: UrlParameters): boolean {
  const unit = parameters.text('bytes');
  if (unit !== undefined && unit !== 'b') throw unsupported(`[bytes=${unit}]`);
  return unit === 'b';
}

function wantsJson(request: Request, parameters: UrlParameters): boolean {
  const format = parameters.text('format');
  if (format === undefined) return /^application\/(vnd\.elasticsearch\+)?json/.test(request.headers.accept ?? '');
  if (format !== 'json' && format !== 'text')
    throw new ApiError(400, 'illegal_argument_exception', `The format [${format}] is not supported`);
  return format === 'json';
}

function rowOf({ index, documents, bytes }: IndexSummary, inBytes: boolean): Row {
  const size = inBytes ? String(bytes) : shownSize(bytes);
  return {
    health: 'green',
    status: 'open',
    index,
    uuid: index,
    pri: '1',
    rep: '0',
    'docs.count': String(documents),
    'docs.deleted': '0',
    'store.size': size,
    'pri.store.size': size,
  };
}

function shownSize(bytes: number): string {
  const units = ['b', 'kb', 'mb', 'gb', 'tb'];
  let size = bytes;
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit++;
  }
  const rounded = unit === 0 ? String(size) : size.toFixed(1).replace(/\.0$/, '');
  return `${rounded}${units[unit] ?? ''}`;
}

function table(rows: readonly Row[], columns: readonly string[]): string {
  const widths = columns.map((name) => Math.max(0, ...rows.map((row) => (row[name] ?? '').length)));
  const lines = rows.map((row) =>
    columns
      .map((name, at) => (row[name] ?? '').padEnd(widths[at] ?? 0))
      .join(' ')
      .trimEnd(),
  );
  return lines.map((line) => `${line}\n`).join('');
}
