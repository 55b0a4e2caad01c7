import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { Database } from '../../../base/sqlite.js';
import { addIncident, type IndexIncident } from '../../index-incidents.js';
import { clearCorruptionMarker } from '../store/corruption-marker.js';
import { openIndexFile } from '../store/index-file.js';
import { readIndexSummary, summaryPath, totalsOf } from '../store/index-summary.js';
import { IndexWriter } from '../writer/index-writer.js';
import { Maintenance } from '../writer/maintenance.js';
import { repairIncident } from './incident-report.js';
import { PageFile } from './page-file.js';
import { DocumentRecovery } from './recover-documents.js';
import { RecoveredDocuments } from './recovered-documents.js';

/**
 * Makes a new index of what can be read of a damaged one, and puts it in its place. The damaged file is renamed, never removed.
 *
 * It may be killed at any point. Until `<index>.repaired` exists nothing has changed, and the next repair begins anew; from then
 * on only files are renamed, which the next opening completes (`completeRepair`). The log goes away before the file that it
 * belongs to, so that no file ever meets the log of another.
 */
export interface RepairRequest {
  readonly path: string;
  /** Completes "The index was damaged: …". */
  readonly reason: string;
  /** Where documents go whose index is not known. */
  readonly fallback: string;
}

const LOG_SUFFIXES = ['-wal', '-shm'];

/** Yields how many documents were recovered so far, many times a second. Returns what has happened. */
export function* repairIndex(request: RepairRequest): Generator<number, IndexIncident> {
  const { path } = request;
  const building = `${path}.repairing`;
  const scratch = `${path}.repairing-scratch`;
  remove(building, scratch);
  const { identity } = openIndexFile(building);
  const database = new Database(building);
  let incident: IndexIncident;
  try {
    incident = yield* rebuild(database, request, { scratch, identity });
    database.prepare(`INSERT INTO property VALUES('incident', ?)`).run(JSON.stringify(incident));
    new Maintenance(database).finish(Infinity);
  } finally {
    database.close();
    remove(scratch);
  }
  remove(...LOG_SUFFIXES.map((suffix) => building + suffix));
  renameSync(summaryPath(building), summaryPath(repairedPath(path)));
  renameSync(building, repairedPath(path));
  return completeRepair(path) ?? incident;
}

/** Puts a repaired file into its place, if there is one. Returns what had happened. */
export function completeRepair(path: string): IndexIncident | undefined {
  const repaired = repairedPath(path);
  if (!existsSync(repaired)) return undefined;
  const kept = keptPath(path);
  for (const suffix of LOG_SUFFIXES) move(path + suffix, kept + suffix);
  move(path, kept);
  const incident = recordIncident(repaired, path, kept);
  remove(...LOG_SUFFIXES.map((suffix) => repaired + suffix));
  move(summaryPath(repaired), summaryPath(path));
  clearCorruptionMarker(path);
  renameSync(repaired, path);
  return incident;
}

/** The incident lies in the repaired file, so that it cannot be lost before it is recorded. */
function recordIncident(repaired: string, path: string, kept: string): IndexIncident {
  const database = new Database(repaired, { readOnly: true });
  try {
    const [text] = database.values(`SELECT value FROM property WHERE name = 'incident'`);
    const incident = JSON.parse(String(text)) as IndexIncident;
    const message = `${incident.message} The damaged file is kept as [${kept}].`;
    const recorded = { ...incident, kept, message };
    addIncident(dirname(path), recorded);
    return recorded;
  } finally {
    database.close();
  }
}

function* rebuild(
  database: Database,
  { path, reason, fallback }: RepairRequest,
  { scratch, identity }: { readonly scratch: string; readonly identity: string },
): Generator<number, IndexIncident> {
  const summary = readIndexSummary(path);
  const names = new Map(Object.entries(summary?.indices ?? {}).map(([name, { id }]) => [id, name]));
  const file = new PageFile(path);
  const recovery = new DocumentRecovery(file, scratch, { names, fallback });
  try {
    const survey = recovery.survey();
    while (survey.next().done !== true) yield 0;
    const recovered = new RecoveredDocuments(new IndexWriter(database));
    for (const document of recovery.documents()) {
      if (document !== undefined) recovered.add(document);
      yield recovered.count;
    }
    recovered.write();
    const { count, doubtful, withoutFile } = recovered;
    const lost = recovery.lost();
    const held = summary === undefined ? undefined : totalsOf(summary);
    return repairIncident({
      path,
      identity,
      reason,
      documents: held?.documents,
      recovered: count,
      doubtful,
      lost: Math.max(lost.count, (held?.withoutFile ?? 0) - withoutFile),
      lostDocuments: lost.some,
    });
  } finally {
    recovery.close();
    file.close();
  }
}

function repairedPath(path: string): string {
  return `${path}.repaired`;
}

function keptPath(path: string): string {
  const stamp = new Date().toISOString().replace(/[-:]/g, '').slice(0, 15);
  let kept = `${path}.damaged-${stamp}`;
  for (let again = 2; existsSync(kept); again += 1) kept = `${path}.damaged-${stamp}-${again}`;
  return kept;
}

function move(from: string, to: string): void {
  if (existsSync(from)) renameSync(from, to);
}

function remove(...paths: readonly string[]): void {
  for (const path of paths)
    for (const suffix of ['', '-journal', ...LOG_SUFFIXES]) rmSync(path + suffix, { force: true });
}
