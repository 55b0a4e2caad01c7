import type { DocumentCount } from '../../src/ingest/counting-ingester.js';
import type { Activity, CrawlMonitor, Health } from '../../src/operations/monitor/monitor.js';

export const IDLE: Activity = {
  filesPerSecond: 0,
  remainingMs: undefined,
  run: undefined,
  totals: undefined,
  current: [],
  slowest: [],
  queues: { folders: 0, extraction: 0, engine: 0 },
};

/** A monitor that tells what a test says. */
export class ScriptedMonitor implements CrawlMonitor {
  now: Activity = IDLE;
  condition: Health = { engine: 'up', stuck: false };
  counts: readonly DocumentCount[] = [];

  activity(): Activity {
    return this.now;
  }

  health(): Promise<Health> {
    return Promise.resolve(this.condition);
  }

  documents(): readonly DocumentCount[] {
    return this.counts;
  }
}
