import { printable } from '../../base/printable.js';
import type { ApprovalEffect } from '../../operations/approve/approve.js';
import { EXIT_OK } from '../exit-codes.js';
import { commandOn, withInspectedJob, type InspectedJobContext } from '../jobs/inspected-job.js';
import type { ApproveOptions } from '../options.js';
import { counted } from '../report-lines.js';

/** `crawler approve <job>`: approves the deletions that the last scan held back. */
export function approve(argument: string | undefined, options: ApproveOptions): Promise<number> {
  return withInspectedJob(argument, options, { command: 'approve', purpose: 'catalog' }, async (job) => {
    const { settings, jobDirectory, logger } = job;
    const name = printable(settings.name);
    const { approveJob } = await import('../../operations/approve/approve.js');
    const { held, effect } = await approveJob(jobDirectory, (message) => logger.warn(message));
    if (held === undefined) console.log(`No deletions are held for job [${name}].`);
    else console.log(`The removal of ${counted(held.documents, 'document')} is approved. ${sentenceOf(effect, job)}`);
    return EXIT_OK;
  });
}

function sentenceOf(effect: ApprovalEffect, job: InspectedJobContext): string {
  switch (effect) {
    case 'now':
      return 'The crawler begins a run within five seconds, which removes them.';
    case 'scan_at_work':
      return 'The scan that is running removes them when it ends.';
    case 'on_resume':
      return 'The crawler is paused: it removes them when it is resumed (POST /_crawler/resume).';
    case 'next_run':
      return `The next run removes them: [${commandOn(job, undefined, '--loop', '1')}].`;
  }
}
