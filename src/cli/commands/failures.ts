import { CrawlerError } from '../../base/errors.js';
import { grouped } from '../../base/grouped.js';
import { printable } from '../../base/printable.js';
import { reasons, type Reason } from '../../model/reason.js';
import type { Failure, FailureCounts, FailureFilter } from '../../operations/failures/failures.js';
import type { FailuresAnswer } from '../../operations/failures/job-failures.js';
import { EXIT_OK } from '../exit-codes.js';
import { commandOn, withInspectedJob, type InspectedJobContext } from '../jobs/inspected-job.js';
import type { FailuresOptions } from '../options.js';
import { counted, moment, ReportLines } from '../report-lines.js';

/** `crawler failures [job|folder]` */
export function failures(argument: string | undefined, options: FailuresOptions): Promise<number> {
  const filter = { reason: toReason(options.reason), all: options.all };
  return withInspectedJob(argument, options, { command: 'failures', purpose: 'catalog' }, async (job) => {
    const { listFailures, retryFailures } = await import('../../operations/failures/job-failures.js');
    const lines = new ReportLines();
    const answer = await listFailures(job, filter, {
      counts: async (counts) => {
        if (!options.json) addCounts(lines, job, counts, filter);
        await lines.flush();
      },
      page: async (page) => {
        if (options.json) lines.add(...page.map(jsonLine));
        else for (const failure of page) lines.add(...failureLines(failure));
        await lines.flush();
      },
    });
    const retried = options.retry ? await retryFailures(job, filter) : undefined;
    if (options.json) lines.add(JSON.stringify({ summary: jsonSummary(job.settings.name, answer, retried?.queued) }));
    else if (retried !== undefined) lines.add(retryLine(retried, job));
    await lines.flush();
    return EXIT_OK;
  });
}

/** How many, by reason and type: a list may be long. */
function addCounts(lines: ReportLines, job: InspectedJobContext, counts: FailureCounts, filter: FailureFilter): void {
  const { total, reasons: found, leftOut } = counts;
  lines.add(headline(total, filter, `the job [${printable(job.settings.name)}]`));
  lines.addTable(found.map(({ reason: why, count, types }) => [grouped(count), why, typesText(types), reasons[why]]));
  const out = Object.entries(leftOut).map(([why, count]) => `${grouped(count)} ${why}`);
  if (out.length > 0)
    lines.add(`Left out by rules: ${out.join(', ')}. [${commandOn(job, 'failures', '--all')}] lists them.`);
  if (total > 0) lines.add('');
}

/** What a rule has left out is no failure. */
function headline(total: number, { reason, all }: FailureFilter, job: string): string {
  if (all && total === 0) return `Everything in ${job} is indexed with all of its text.`;
  if (all) return `${grouped(total)} not indexed, or without all of the text, in ${job}:`;
  const which = reason === undefined ? '' : ` (${reason})`;
  return total === 0 ? `No failures${which} in ${job}.` : `${counted(total, 'failure')}${which} in ${job}:`;
}

const SHOWN_TYPES = 4;

/** `pdf 12, docx 3, 5 others` */
function typesText(types: readonly (readonly [string, number])[]): string {
  const shown = types
    .slice(0, SHOWN_TYPES)
    .map(([type, count]) => `${printable(type) || '(no extension)'} ${grouped(count)}`);
  const others = types.slice(SHOWN_TYPES).reduce((sum, [, count]) => sum + count, 0);
  return [...shown, ...(others === 0 ? [] : [counted(others, 'other')])].join(', ');
}

function jsonSummary(job: string, { total, reasons: found, leftOut, live }: FailuresAnswer, queued?: number): object {
  const byReason = found.map(({ reason, count, types }) => ({ reason, count, types: Object.fromEntries(types) }));
  return { job, listed: total, reasons: byReason, leftOut, live, queued };
}

function toReason(text: string | undefined): Reason | undefined {
  if (text === undefined || text in reasons) return text as Reason | undefined;
  throw new CrawlerError('usage', `[${text}] is not a reason. The reasons are: ${Object.keys(reasons).join(', ')}.`);
}

function jsonLine({ path, what, standing, reason, message, atMs, tries, retryMs }: Failure): string {
  return JSON.stringify({ path, what, standing, reason, message, atMs, tries, retryMs });
}

function failureLines({ path, what, standing, reason, message, atMs, tries, retryMs }: Failure): string[] {
  const state =
    standing === 'partial' ? 'in the index without all of its text' : standing === 'left_out' ? 'left out' : 'failed';
  const when = atMs > 0 ? `, ${moment(atMs)}` : '';
  const often = tries > 0 ? `, tried ${tries} time${tries === 1 ? '' : 's'}` : '';
  return [
    `${printable(path)}${what === 'folder' ? '  (folder)' : ''}`,
    `    ${reason}: ${printable(message)}`,
    `    ${state}${when}${often}${nextTry(standing, retryMs)}`,
  ];
}

function nextTry(standing: Failure['standing'], retryMs: number): string {
  if (standing === 'left_out') return '';
  if (standing === 'partial') return ', again when the file, the settings or the extractor change';
  return retryMs > Date.now() ? `, again after ${moment(retryMs)}` : ', again at the next scan';
}

function retryLine(
  { queued, live }: { readonly queued: number; readonly live: boolean },
  job: InspectedJobContext,
): string {
  if (queued === 0) return 'There is nothing to retry.';
  const when = live
    ? 'The crawler that is running begins a scan now'
    : `The next run tries them: [${commandOn(job, undefined, '--loop', '1')}]`;
  return `${counted(queued, 'file')} queued again. ${when}.`;
}
