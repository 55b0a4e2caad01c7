import type { Request, Response } from 'express';
import type { CrawlerControl, CrawlerStatus, PauseOutcome, ResumeOutcome } from '../../crawler/control.js';
import { NEVER_RAN } from '../../crawler/run-record.js';
import type { IndexIncident } from '../../engine/index-incidents.js';
import { toLocalDateTime } from '../../model/dates.js';
import type { DocumentTime } from '../../model/document-time.js';
import type { Activity, RunActivity } from '../../operations/monitor/monitor.js';
import { sendJson, sendMessage } from '../answer.js';
import { elapsedTime } from '../elapsed-time.js';
import { badRequest } from '../request-fault.js';
import type { RestContext } from '../rest-options.js';
import type { RestRoute } from '../route.js';

type Message = readonly [status: number, message: string];

const PAUSE: Readonly<Record<PauseOutcome, Message>> = {
  paused: [200, 'Crawler paused. Checkpoint saved.'],
  paused_without_scan: [200, 'Crawler paused. No checkpoint saved (no active scan in progress).'],
  already_paused: [200, 'Crawler is already paused.'],
  not_running: [400, 'Crawler is not running'],
};

const RESUME: Readonly<Record<ResumeOutcome, Message>> = {
  resumed: [200, 'Crawler resumed.'],
  not_paused: [200, 'Crawler is not paused. No action needed.'],
  closed: [400, 'Crawler is closed. Cannot resume.'],
};

const CLEARED: Message = [200, 'Checkpoint cleared'];
const BUSY: Message = [400, 'Cannot clear checkpoint while crawler is running. Pause or stop it first.'];
const NO_CRAWLER: Message = [
  404,
  "Failed to clear checkpoint as we don't have a checkpoint handler. This probably means there's no active crawler. Did you start with --loop 0?",
];

/** Reading and steering the crawler. Without one (`--loop 0`) it is a crawler that stopped for good. */
export function crawlerRoutes({ crawler, monitor, indexIncidents }: RestContext): readonly RestRoute[] {
  return [
    {
      method: 'GET',
      path: '/_crawler/status',
      handle(_request, response) {
        sendJson(response, 200, {
          ...statusBody(crawler?.status() ?? NEVER_RAN, Date.now()),
          activity: activityBody(monitor.activity()),
          index_incidents: incidentsBody(indexIncidents.read()),
        });
      },
    },
    {
      method: 'POST',
      path: '/_crawler/pause',
      async handle(_request, response) {
        send(response, PAUSE[crawler === undefined ? 'not_running' : await crawler.pause()]);
      },
    },
    {
      method: 'POST',
      path: '/_crawler/resume',
      async handle(_request, response) {
        send(response, RESUME[crawler === undefined ? 'closed' : await crawler.resume()]);
      },
    },
    {
      method: 'POST',
      path: '/_crawler/approve',
      async handle(request, response) {
        send(response, await approve(crawler, seenDocuments(request)));
      },
    },
    {
      method: 'POST',
      path: '/_crawler/acknowledge',
      handle(_request, response) {
        const { length } = indexIncidents.acknowledge();
        send(response, [200, length === 0 ? 'Nothing to acknowledge.' : `Acknowledged: ${length}.`]);
      },
    },
    {
      method: 'DELETE',
      path: '/_crawler/checkpoint',
      async handle(_request, response) {
        send(response, await clearCheckpoint(crawler));
      },
    },
  ];
}

async function clearCheckpoint(crawler: CrawlerControl | undefined): Promise<Message> {
  if (crawler === undefined) return NO_CRAWLER;
  const outcome = await crawler.clearCheckpoint();
  switch (outcome.kind) {
    case 'cleared':
      return CLEARED;
    case 'busy':
      return BUSY;
    case 'failed':
      return [500, `Failed to clear checkpoint: ${outcome.message}`];
  }
}

/** The number that a person has seen. A parameter that is spelled wrong must not approve everything. */
function seenDocuments({ query }: Request): number | undefined {
  const unknown = Object.keys(query).find((name) => name !== 'documents');
  if (unknown !== undefined)
    throw badRequest(`There is no parameter [${unknown.slice(0, 100)}] here. It knows documents.`);
  const { documents } = query;
  if (documents === undefined) return undefined;
  if (typeof documents === 'string' && /^\d{1,12}$/.test(documents)) return Number(documents);
  throw badRequest('The parameter [documents] must be the number of documents that are held.');
}

async function approve(crawler: CrawlerControl | undefined, seen: number | undefined): Promise<Message> {
  const outcome = (await crawler?.approve(seen)) ?? { kind: 'closed' as const };
  switch (outcome.kind) {
    case 'approved':
      return [200, `Approved: ${outcome.held.documents} documents are removed with the next run.`];
    case 'nothing_held':
      return [200, 'No deletions are held. No action needed.'];
    case 'changed':
      return [409, changedNumber(outcome.held?.documents ?? 0)];
    case 'scanning':
      return [409, SCANNING];
    case 'closed':
      return [400, 'Crawler is not running'];
    case 'failed':
      return [500, `Failed to approve the deletions: ${outcome.message}`];
  }
}

const SCANNING =
  'A scan that has not ended has found other files gone, or some of these again: nothing was approved. Look at GET /_crawler/held when it has ended, and approve then.';

function changedNumber(held: number): string {
  const now = held === 0 ? 'No deletions are held any more' : `${held} documents are held by now`;
  return `${now}: nothing was approved. Look at GET /_crawler/held, and approve that number.`;
}

function send(response: Response, [status, message]: Message): void {
  sendMessage(response, status, status === 200, message);
}

/** The crawler status resource: every member is always there, null when unknown. FSCrawler does not have `paused_by`, `files_failed`, `held_deletions`, `watch` and `index_incidents`. */
function statusBody(status: CrawlerStatus, nowMs: number): Readonly<Record<string, unknown>> {
  const { scanStartMs, scanEndMs } = status;
  return {
    ok: true,
    state: status.state,
    paused_by: status.pausedBy ?? null,
    scan_id: status.scanId ?? null,
    scan_start_time: localTime(scanStartMs),
    scan_end_time: localTime(scanEndMs),
    next_check: localTime(status.nextCheckMs),
    elapsed_time: scanStartMs === undefined ? null : elapsedTime((scanEndMs ?? nowMs) - scanStartMs),
    files_processed: status.filesProcessed,
    files_deleted: status.filesDeleted,
    files_failed: status.filesFailed,
    completed_directories: status.completedDirectories,
    pending_directories: status.pendingDirectories,
    current_path: status.currentPath ?? null,
    retry_count: status.retryCount,
    last_error: status.lastError ?? null,
    held_deletions: heldBody(status.heldDeletions),
    watch: watchBody(status.watch),
  };
}

function incidentsBody(incidents: readonly IndexIncident[]): object | null {
  if (incidents.length === 0) return null;
  return incidents.map(({ at, message, kept, documents, recovered, lost, lost_documents }) => {
    return { at: localTime(Date.parse(at)), message, kept, documents, recovered, lost, lost_documents };
  });
}

function heldBody(held: CrawlerStatus['heldDeletions']): object | null {
  if (held === undefined) return null;
  const { documents, folders, sinceMs, message } = held;
  return { documents, folders, since: localTime(sinceMs), message };
}

function watchBody(watch: CrawlerStatus['watch']): object | null {
  if (watch === undefined) return null;
  return {
    folders: watch.folders,
    swept: watch.unwatched,
    looks: watch.partialScans,
    files_processed: watch.files,
    files_deleted: watch.deleted,
    last_look: localTime(watch.lastPartialScanMs),
  };
}

function localTime(epochMs: number | undefined): string | null {
  return epochMs === undefined ? null : toLocalDateTime(epochMs);
}

/** What is happening, beside the members that the status resource always had. */
function activityBody({ filesPerSecond, remainingMs, run, totals, current, slowest, queues }: Activity): object {
  return {
    run: run === undefined ? null : runBody(run),
    files_per_second: Math.round(filesPerSecond * 10) / 10,
    // There is something left as long as there is an estimate.
    remaining_time: remainingMs === undefined ? null : elapsedTime(Math.max(1000, remainingMs)),
    totals: totals ?? null,
    current: current.map(documentTime),
    slowest: slowest.map(documentTime),
    queues,
  };
}

/** Counts of the run in this process; `percent` is rounded down, so that 100 means all. */
function runBody({ indexed, deleted, failed, settled, total, isResumed }: RunActivity): object {
  const percent = total === undefined ? null : total === 0 ? 100 : Math.floor((settled / total) * 100);
  return { indexed, deleted, failed, settled, total: total ?? null, percent, resumed: isResumed };
}

/** With the page that is being recognised, where one is. */
function documentTime({ document, elapsedMs, page, pages }: DocumentTime): object {
  return { document, elapsed_ms: Math.round(elapsedMs), ...(page === undefined ? {} : { page, pages }) };
}
