import { printable } from '../../base/printable.js';
import { grouped } from '../../base/grouped.js';
import { printByteSize } from '../../base/units.js';
import { FEWEST_FILES } from '../../crawler/scan/throughput.js';
import type { Amount, Estimate, Plan, PlannedChange } from '../../operations/plan/plan.js';
import { EXIT_OK } from '../exit-codes.js';
import { withInspectedJob } from '../jobs/inspected-job.js';
import type { PlanOptions } from '../options.js';
import { counted, moment, ReportLines, span } from '../report-lines.js';

/** `crawler plan <job|folder>` */
export function plan(argument: string | undefined, options: PlanOptions): Promise<number> {
  return withInspectedJob(argument, options, { command: 'plan', purpose: 'tree', anyFolder: true }, async (job) => {
    const { planJob } = await import('../../operations/plan/plan.js');
    const planned = await planJob(job);
    const lines = new ReportLines();
    if (options.json) lines.add(JSON.stringify({ job: job.settings.name, root: job.settings.fs.url, ...planned }));
    else addPlan(lines, job.settings.name, job.settings.fs.url, planned);
    await lines.flush();
    return EXIT_OK;
  });
}

/** So many types of most bytes are shown, and as many of most files; the others are summed up. */
const SHOWN_TYPES = 10;

const CHANGES: Readonly<Record<PlannedChange, string>> = {
  new: 'not indexed yet',
  changed: 'changed since they were indexed',
  outdated: 'to be indexed again: settings or extractor have changed',
  retried: 'failed before and due again',
  moved: 'moved: their documents get a new place, nothing is read',
  gone: 'gone: their documents are removed',
  removed: 'now left out by a rule: their documents are removed',
  unchanged: 'unchanged',
};

function addPlan(lines: ReportLines, name: string, root: string, planned: Plan): void {
  const { selected, folders, types, leftOut, changes, work, closedFolders, walkMs } = planned;
  lines.add(
    `Job [${printable(name)}], [${printable(root)}]: ${counted(selected.files, 'file')} (${bytes(selected)}) to index in ${counted(folders, 'folder')}, listed in ${span(walkMs)}.`,
  );
  lines.add('By type:');
  const shown = new Set([
    ...types.slice(0, SHOWN_TYPES),
    ...types.toSorted((left, right) => right.files - left.files).slice(0, SHOWN_TYPES),
  ]);
  const rest = types.filter((type) => !shown.has(type));
  lines.addTable([
    ...types
      .filter((type) => shown.has(type))
      .map((type) => row(type, type.extension === '' ? '(no extension)' : printable(type.extension))),
    ...(rest.length === 0 ? [] : [row(sum(rest), counted(rest.length, 'other type'))]),
  ]);
  if (leftOut.length > 0) {
    lines.add('Left out:');
    lines.addTable(
      leftOut.map((each) => [
        ...row(each, printable(`${each.reason} ${each.rule}`.trim())),
        takenFolders(each.folders),
      ]),
    );
  }
  if (closedFolders > 0) lines.add(`${counted(closedFolders, 'folder')} cannot be listed.`);
  lines.add('The next scan:');
  const rows = Object.entries(changes).filter(([, { files }]) => files > 0);
  lines.addTable(rows.map(([change, amount]) => row(amount, CHANGES[change as PlannedChange])));
  lines.add(
    work.files === 0
      ? 'Nothing needs to be extracted.'
      : `${counted(work.files, 'file')} (${bytes(work)}) to extract. ${estimated(planned.estimate)}`,
  );
  lines.add('Nothing was written.');
}

function row(amount: Amount, text: string): string[] {
  return [grouped(amount.files), bytes(amount), text];
}

function bytes({ bytes: size }: Amount): string {
  return size === 0 ? '0b' : printByteSize(size);
}

function takenFolders(folders: number): string {
  return folders === 0 ? '' : `and ${counted(folders, 'folder')} with everything below`;
}

function sum(amounts: readonly Amount[]): Amount {
  return {
    files: amounts.reduce((total, { files }) => total + files, 0),
    bytes: amounts.reduce((total, { bytes: size }) => total + size, 0),
  };
}

function estimated(estimate: Estimate | undefined): string {
  if (estimate === undefined)
    return `How long that takes is not known yet: no scan of this job has indexed ${FEWEST_FILES} files or more.`;
  const { byFilesMs, byBytesMs, basis } = estimate;
  const [least, most] = [Math.min(byFilesMs, byBytesMs), Math.max(byFilesMs, byBytesMs)];
  const range = span(least) === span(most) ? `About ${span(most)}` : `About ${span(least)} to ${span(most)}`;
  return `${range}, by the rate of earlier scans: ${counted(basis.files, 'file')} (${printByteSize(basis.bytes)}) in ${span(basis.ms)}, the last on ${moment(basis.atMs)}.`;
}
