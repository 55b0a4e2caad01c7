import type { ApprovalEffect } from '../../app/approve.js';
import { EXIT_OK } from '../exit-codes.js';
import { withPlace } from '../inspected-place.js';
import type { ApproveOptions } from '../options.js';

/** `crawler approve <job>`: lets the deletions through that the last scan held back. */
export function approve(argument: string | undefined, options: ApproveOptions): Promise<number> {
  return withPlace(argument, options, async ({ settings: { name }, jobDirectory, logger }) => {
    const { approveJob } = await import('../../app/approve.js');
    const { held, effect } = await approveJob(jobDirectory, (message) => logger.warn(message));
    if (held === undefined) console.log(`No deletions are held for job [${name}].`);
    else console.log(`The removal of ${held.documents} documents is approved. ${sentenceOf(effect, name)}`);
    return EXIT_OK;
  });
}

function sentenceOf(effect: ApprovalEffect, job: string): string {
  switch (effect) {
    case 'now':
      return 'The crawler begins a run within five seconds, which removes them.';
    case 'scan_at_work':
      return 'The scan that is at work removes them when it ends.';
    case 'on_resume':
      return 'The crawler waits for a person: it removes them when it is resumed (POST /_crawler/resume).';
    case 'next_run':
      return `The next run removes them: [crawler ${job} --loop 1].`;
  }
}
