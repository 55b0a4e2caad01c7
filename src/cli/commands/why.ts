import { resolve } from 'node:path';
import { silentLogger } from '../../base/logger.js';
import { grouped } from '../../base/grouped.js';
import { printable } from '../../base/printable.js';
import { printByteSize } from '../../base/units.js';
import type { PathAnswer } from '../../operations/explain/explain-path.js';
import type { JobContext } from '../../operations/job/job-context.js';
import { EXIT_FAILURE, EXIT_OK } from '../exit-codes.js';
import { commandOn } from '../jobs/inspected-job.js';
import { jobOfPath } from '../jobs/job-of-path.js';
import type { WhyOptions } from '../options.js';
import { counted, moment, ReportLines } from '../report-lines.js';
import { stoppable } from '../stoppable.js';

/** `crawler why <path>`: exit code 0 only when the file is in the index as it is now. */
export async function why(path: string, options: WhyOptions): Promise<number> {
  const job = jobOfPath(path, resolve(options.config_dir), { ...options, purpose: 'tree' });
  const { explainPath } = await import('../../operations/explain/explain-path.js');
  const { settings, jobDirectory, loaded } = job;
  const logger = { ...silentLogger, warn: (message: string) => console.error(printable(message)) };
  const answer = await stoppable((signal) =>
    explainPath({ settings, jobDirectory, logger, signal }, job.path, loaded.originOf),
  );
  const lines = new ReportLines();
  if (options.json) lines.add(JSON.stringify(answer));
  else addAnswer(lines, answer, job);
  await lines.flush();
  return answer.standing === 'indexed' ? EXIT_OK : EXIT_FAILURE;
}

type JobReference = Pick<JobContext, 'settings' | 'jobDirectory'>;

const HEADINGS: Readonly<Record<PathAnswer['standing'], string>> = {
  indexed: 'indexed',
  waiting: 'waiting for the next scan',
  left_out: 'not indexed: left out',
  failed: 'not indexed: failed',
  missing: 'missing in the index',
  gone: 'gone',
  absent: 'not there',
  outside: 'not part of the job',
};

function addAnswer(lines: ReportLines, answer: PathAnswer, job: JobReference): void {
  const reason = answer.reason === undefined ? '' : ` (${answer.reason})`;
  lines.add(printable(answer.path), `${HEADINGS[answer.standing]}${reason}. ${printable(answer.sentence)}`);
  lines.addTable(details(answer, job));
}

function details(answer: PathAnswer, context: JobReference): string[][] {
  const { job, rule, file } = answer;
  const next = nextStep(answer, context);
  return [
    ['job', printable(job)],
    ...folderRows(answer, context),
    ...(rule === undefined || rule.text === '' ? [] : [['rule', printable(shownRule(answer, rule.text))]]),
    ...(file === undefined ? [] : [['file', sizeAndDate(file)]]),
    ...recordRows(answer),
    ...documentRows(answer),
    ...(next === undefined ? [] : [['next', next]]),
  ];
}

function folderRows({ below }: PathAnswer, job: JobReference): string[][] {
  if (below === undefined) return [];
  const reasons = Object.entries(below.reasons).sort(([, left], [, right]) => right - left);
  const shown = reasons.map(([reason, count]) => `${grouped(count)} ${reason}`).join(', ');
  return [
    ['below', counted(below.folders, 'folder')],
    ...(below.closedFolders === 0 ? [] : [['closed', `${counted(below.closedFolders, 'folder')} cannot be entered`]]),
    ...(shown === '' ? [] : [['reasons', `${shown}: [${commandOn(job, 'failures', '--all')}] lists them`]]),
  ];
}

function recordRows({ record }: PathAnswer): string[][] {
  if (record?.state === 'failed') return [['tried', tried(record)]];
  if (record?.state !== 'indexed' || record.atMs === 0) return [];
  return [['indexed', `${moment(record.atMs)}, from ${sizeAndDate(record)}`]];
}

function documentRows({ document, record, id, what }: PathAnswer): string[][] {
  if (document === undefined)
    return what === 'file' && record !== undefined ? [['document', `none (its id would be ${id})`]] : [];
  const by = document.extractor === undefined ? '' : `, extractor ${document.extractor}`;
  const cut = document.truncated ? ', truncated (fs.indexed_chars)' : '';
  return [
    ['document', `${id} in ${document.index}`],
    ['text', `${document.contentType ?? 'unknown type'}${by}, ${document.characters} characters${cut}`],
  ];
}

function shownRule(answer: PathAnswer, text: string): string {
  const { origin } = answer;
  return origin === undefined ? text : `${origin.pattern ?? origin.setting}  (${ruleSource(answer)})`;
}

function ruleSource({ origin }: PathAnswer): string {
  if (origin === undefined) return '';
  const where = origin.origin === 'default' ? 'the default' : origin.origin;
  return origin.pattern === undefined ? where : `${origin.setting}, ${where}`;
}

function tried({ tries, atMs, retryMs }: NonNullable<PathAnswer['record']>): string {
  const next = retryMs > 0 ? `, again after ${moment(retryMs)}` : ', again at the next scan';
  return `${tries} time${tries === 1 ? '' : 's'}, last ${moment(atMs)}${next}`;
}

function sizeAndDate({ size, modifiedMs }: { size: number; modifiedMs: number | undefined }): string {
  const bytes = size < 0 ? 'unknown size' : size === 0 ? 'empty' : printByteSize(size);
  return modifiedMs === undefined ? bytes : `${bytes}, modified ${moment(modifiedMs)}`;
}

function nextStep({ standing, live, nextScan }: PathAnswer, job: JobReference): string | undefined {
  if (standing !== 'waiting' && standing !== 'gone') return undefined;
  if (!live) return `no crawler is running for the job: [${commandOn(job, undefined)}] starts one`;
  return nextScan === undefined ? 'a scan is under way' : `the next scan is at ${moment(Date.parse(nextScan))}`;
}
