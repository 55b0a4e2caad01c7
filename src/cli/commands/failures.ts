import { CrawlerError } from '../../base/errors.js';
import type { Failure, FailureFilter } from '../../crawler/inspect/failures.js';
import { reasons, type Reason } from '../../model/reason.js';
import { EXIT_OK } from '../exit-codes.js';
import { withPlace } from '../inspected-place.js';
import type { FailuresOptions } from '../options.js';
import { counted, moment, oneLine, ReportLines } from '../report-lines.js';

/** `crawler failures <job|folder>` */
export function failures(argument: string | undefined, options: FailuresOptions): Promise<number> {
  const filter = { reason: toReason(options.reason), all: options.all };
  return withPlace(argument, options, async (place) => {
    const { listFailures, retryFailures } = await import('../../app/inspect/job-failures.js');
    const lines = new ReportLines();
    const { name } = place.settings;
    const answer = await listFailures(place, filter, async (page) => {
      if (options.json) lines.add(...page.map(jsonLine));
      else for (const failure of page) lines.add(...failureLines(failure));
      await lines.flush();
    });
    const retried = options.retry ? await retryFailures(place, filter) : undefined;
    if (options.json) lines.add(JSON.stringify({ summary: { job: name, ...answer, queued: retried?.queued } }));
    else {
      lines.add(summaryLine(answer.listed, filter));
      addLeftOut(lines, name, answer.leftOut);
      if (retried !== undefined) lines.add(retryLine(retried, name));
    }
    await lines.flush();
    return EXIT_OK;
  });
}

function toReason(text: string | undefined): Reason | undefined {
  if (text === undefined || text in reasons) return text as Reason | undefined;
  throw new CrawlerError('usage', `[${text}] is not a reason. There are: ${Object.keys(reasons).join(', ')}.`);
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
    `${oneLine(path)}${what === 'folder' ? '  (folder)' : ''}`,
    `    ${reason}: ${oneLine(message)}`,
    `    ${state}${when}${often}${nextTry(standing, retryMs)}`,
  ];
}

function nextTry(standing: Failure['standing'], retryMs: number): string {
  if (standing === 'left_out') return '';
  if (standing === 'partial') return ', again when the file, the settings or the extractor change';
  return retryMs > Date.now() ? `, again after ${moment(retryMs)}` : ', again at the next scan';
}

function summaryLine(listed: number, { reason }: FailureFilter): string {
  const which = reason === undefined ? '' : ` (${reason})`;
  return listed === 0 ? `No failures${which}.` : `${counted(listed, 'failure')}${which}.`;
}

function addLeftOut(lines: ReportLines, name: string, leftOut: Readonly<Record<string, number>>): void {
  const shown = Object.entries(leftOut).map(([reason, count]) => `${count.toLocaleString('en')} ${reason}`);
  if (shown.length > 0)
    lines.add(`Left out by rules: ${shown.join(', ')}. [crawler failures ${name} --all] lists them.`);
}

function retryLine({ queued, live }: { readonly queued: number; readonly live: boolean }, name: string): string {
  if (queued === 0) return 'There is nothing to try again.';
  const when = live
    ? 'The crawler that is running begins a scan now'
    : `The next run tries them: [crawler ${name} --loop 1]`;
  return `${counted(queued, 'file')} queued again. ${when}.`;
}
