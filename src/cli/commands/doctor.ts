import { printable } from '../../base/printable.js';
import type { Check } from '../../operations/doctor/check.js';
import { EXIT_FAILURE, EXIT_OK } from '../exit-codes.js';
import { withInspectedJob } from '../jobs/inspected-job.js';
import type { DoctorOptions } from '../options.js';
import { counted, ReportLines } from '../report-lines.js';

/** `crawler doctor [job|folder]`: exit code 1 when something is broken. */
export function doctor(argument: string | undefined, options: DoctorOptions): Promise<number> {
  return withInspectedJob(argument, options, { command: 'doctor', purpose: 'report', anyFolder: true }, async (job) => {
    const { examine } = await import('../../operations/doctor/doctor.js');
    const lines = new ReportLines();
    const all: Check[] = [];
    for await (const checks of examine(job, job.loaded)) {
      all.push(...checks);
      if (!options.json) for (const check of checks) lines.add(...checkLines(check));
      await lines.flush();
    }
    const broken = all.filter(({ status }) => status === 'broken').length;
    const warnings = all.filter(({ status }) => status === 'warning').length;
    if (options.json) {
      const { settingOrigins } = await import('../../operations/doctor/settings-checks.js');
      const { name } = job.settings;
      lines.add(JSON.stringify({ job: name, broken, warnings, checks: all, settings: settingOrigins(job.loaded) }));
    } else lines.add(conclusion(printable(job.settings.name), broken, warnings));
    await lines.flush();
    return broken === 0 ? EXIT_OK : EXIT_FAILURE;
  });
}

const SIGNS: Readonly<Record<Check['status'], string>> = {
  ok: 'ok',
  warning: 'warning',
  broken: 'BROKEN',
  skipped: '-',
};

function checkLines({ name, status, text, remedy }: Check): string[] {
  const line = `${SIGNS[status].padEnd(9)}${name.padEnd(14)}${printable(text)}`;
  return remedy === undefined ? [line] : [line, `${' '.repeat(23)}-> ${printable(remedy)}`];
}

function conclusion(job: string, broken: number, warnings: number): string {
  if (broken + warnings === 0) return `Job [${job}]: everything is in order.`;
  const found = [broken > 0 ? `${broken} broken` : '', warnings > 0 ? counted(warnings, 'warning') : ''];
  return `Job [${job}]: ${found.filter((text) => text !== '').join(', ')}.`;
}
