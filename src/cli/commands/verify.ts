import { printable } from '../../base/printable.js';
import { grouped } from '../../base/grouped.js';
import { printByteSize } from '../../base/units.js';
import type { Reason } from '../../model/reason.js';
import { findingKinds, total, type Finding, type FindingKind } from '../../operations/verify/findings.js';
import type { VerifyAnswer, VerifyOptions as VerifyRequest } from '../../operations/verify/verify-job.js';
import { EXIT_FAILURE, EXIT_OK } from '../exit-codes.js';
import { commandOn, withInspectedJob, type InspectedJobContext } from '../jobs/inspected-job.js';
import type { VerifyOptions } from '../options.js';
import { counted, ReportLines, span } from '../report-lines.js';

/** `crawler verify <job|folder>`: exit code 1 when anything differs. */
export function verify(argument: string | undefined, options: VerifyOptions): Promise<number> {
  // A repair is a run.
  const purpose = options.fix ? 'run' : options.deep ? 'contents' : 'tree';
  return withInspectedJob(argument, options, { command: 'verify', purpose }, async (job) => {
    const { verifyJob, fixJob } = await import('../../operations/verify/verify-job.js');
    const { runOnce } = await import('../../app/run-once.js');
    const lines = new ReportLines();
    if (options.acknowledge) await acknowledge(job, options, lines);
    const progress = new VerifyProgress(process.stderr.isTTY && !options.json);
    const verifyOptions = (json: boolean, silent: boolean): VerifyRequest => ({
      deep: options.deep,
      onFinding: (finding) => {
        if (!silent && (!finding.pending || json))
          lines.add(json ? JSON.stringify(toJson(finding)) : findingLine(finding));
      },
      settle: async () => {
        progress.clear();
        await lines.flush();
      },
      onProgress: (files, documents) => progress.show(files, documents),
    });
    const started = performance.now();
    let answer = options.fix
      ? await fixJob(job, verifyOptions(options.json, false), runOnce)
      : (await verifyJob(job, verifyOptions(options.json, false))).answer;
    const found = total(answer.differences);
    if (options.fix && found > 0) {
      if (!options.json) lines.add(`${counted(found, 'difference')} found and given to a scan; checking again.`);
      ({ answer } = await verifyJob(job, verifyOptions(options.json, options.json)));
    }
    progress.clear();
    const elapsedMs = performance.now() - started;
    if (options.json)
      lines.add(
        JSON.stringify({
          summary: {
            job: job.settings.name,
            ...answer,
            elapsedMs: Math.round(elapsedMs),
            ...(options.fix ? { repaired: found - total(answer.differences) } : {}),
          },
        }),
      );
    else addSummary(lines, job, answer, elapsedMs);
    await lines.flush();
    return total(answer.differences) + answer.incidents.length === 0 ? EXIT_OK : EXIT_FAILURE;
  });
}

async function acknowledge(
  { jobDirectory }: InspectedJobContext,
  { json }: VerifyOptions,
  lines: ReportLines,
): Promise<void> {
  const { acknowledgeIncidents } = await import('../../engine/index-incidents.js');
  for (const incident of acknowledgeIncidents(jobDirectory))
    lines.add(json ? JSON.stringify({ acknowledged: incident }) : `Acknowledged: ${printable(incident.message)}`);
}

function toJson({ kind, path, what, pending, id, reason, detail }: Finding): Readonly<Record<string, unknown>> {
  return { kind, path, what, pending, id, reason, detail };
}

const WIDTH = Math.max(...Object.keys(findingKinds).map((kind) => kind.length)) + 2;

function findingLine({ kind, path, what, reason, detail }: Finding): string {
  const notes = [what === 'folder' ? 'folder' : '', reason ?? '', detail ?? ''].filter((note) => note !== '');
  const shown = notes.length === 0 ? '' : `  (${notes.join(', ')})`;
  return `${kind.padEnd(WIDTH)}${printable(path)}${shown}`;
}

function addSummary(lines: ReportLines, job: InspectedJobContext, answer: VerifyAnswer, elapsedMs: number): void {
  const { counts, differences, pending, reasons, held, closedFolders, live } = answer;
  const name = printable(job.settings.name);
  lines.add(
    `Job [${name}]: ${counted(counts.selected, 'file')} (${printByteSize(counts.bytes)}) in the tree, ${grouped(counts.indexed)} indexed, ${counted(counts.documents, 'document')} in the index; ${counted(counts.folders, 'folder')}, ${counted(counts.folderDocuments, 'folder document')}.`,
  );
  const found = total(differences);
  if (found > 0) {
    lines.add(`${counted(found, 'difference')}:`);
    lines.addTable(kindRows(differences));
    lines.add(`[${commandOn(job, 'verify', '--fix')}] repairs them.`);
  } else lines.add('Tree, catalog and index agree.');
  for (const { message } of answer.incidents) lines.add(printable(message));
  if (answer.incidents.length > 0)
    lines.add(`[${commandOn(job, 'verify', '--acknowledge')}] confirms that you have read this.`);
  const waiting = total(pending);
  if (waiting > 0) {
    lines.add(`${counted(waiting, 'file')} for the next scan of the crawler that is running (no difference):`);
    lines.addTable(kindRows(pending));
  } else if (live) lines.add('A crawler is running; nothing waits for its next scan.');
  if (held > 0) lines.add(`${counted(held, 'deletion')} held until approved: [${commandOn(job, 'approve')}].`);
  addReasons(lines, commandOn(job, 'failures'), reasons);
  for (const { path, message } of closedFolders)
    lines.add(`not compared   ${printable(path)}  (${printable(message)})`);
  addDeep(lines, answer);
  lines.add(`Compared in ${span(elapsedMs)}.`);
}

function kindRows(counts: Readonly<Partial<Record<FindingKind, number>>>): string[][] {
  return Object.entries(counts).map(([kind, count]) => [grouped(count), kind, findingKinds[kind as FindingKind]]);
}

function addReasons(lines: ReportLines, listing: string, reasons: Readonly<Partial<Record<Reason, number>>>): void {
  const known = Object.entries(reasons).sort(([, left], [, right]) => right - left);
  if (known.length === 0) return;
  const shown = known.map(([reason, count]) => `${grouped(count)} ${reason}`).join(', ');
  lines.add(`Not in the index, or there without text, for a reason: ${shown}. [${listing}] lists them.`);
}

function addDeep(lines: ReportLines, { deep, comparedBy }: VerifyAnswer): void {
  if (comparedBy === 'nothing') {
    lines.add(
      'Contents were not compared: the documents of this job hold neither a checksum nor the text of their files.',
    );
  } else if (deep !== undefined) {
    const how = comparedBy === 'checksum' ? 'by checksum' : 'by extracting them again (fs.checksum is off)';
    const failed = deep.failed === 0 ? '' : `; ${counted(deep.failed, 'file')} could not be read`;
    lines.add(`Contents of ${counted(deep.compared, 'file')} compared ${how}${failed}.`);
  }
}

const SHOWN_EVERY_MS = 250;

/** One line that is rewritten on a terminal. */
class VerifyProgress {
  readonly #enabled: boolean;
  #shownMs = 0;
  #isShown = false;

  constructor(enabled: boolean) {
    this.#enabled = enabled;
  }

  show(files: number, documents: number): void {
    const now = performance.now();
    if (!this.#enabled || now - this.#shownMs < SHOWN_EVERY_MS) return;
    this.#shownMs = now;
    this.#isShown = true;
    process.stderr.write(`\r\u001b[K${counted(files, 'file')}, ${counted(documents, 'document')}`);
  }

  clear(): void {
    if (this.#isShown) process.stderr.write('\r\u001b[K');
    this.#isShown = false;
  }
}
