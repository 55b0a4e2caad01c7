import { systemClock } from '../../base/clock.js';
import { planScan, type Plan } from '../../crawler/inspect/plan.js';
import { InspectedJob, type JobPlace } from './inspected-job.js';

/** `crawler plan`: needs no index and no catalog, and makes none. */
export async function planJob(place: JobPlace): Promise<Plan> {
  const job = await InspectedJob.open(place);
  try {
    const { rules, source, catalog, signal } = job;
    return await planScan({ rules, source, catalog, signal }, systemClock.now());
  } finally {
    await job.close();
  }
}
