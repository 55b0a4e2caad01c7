import type { Health } from '../../operations/monitor/monitor.js';
import { sendJson, sendRaw } from '../answer.js';
import type { Metrics } from '../metrics.js';
import type { RestContext } from '../rest-options.js';
import type { RestRoute } from '../route.js';

/** For those who look after the service: `_health` for supervisors, `_metrics` for Prometheus. */
export function operationRoutes({ monitor, crawler, jobName, indexIncidents }: RestContext): readonly RestRoute[] {
  let metrics: Metrics | undefined;
  // Whoever is not asked for metrics does not pay for them.
  const openMetrics = async (): Promise<Metrics> => {
    const { Metrics: Opened } = await import('../metrics.js');
    return new Opened({ jobName, monitor, crawler, indexIncidents: () => indexIncidents.read().length });
  };
  return [
    {
      method: 'GET',
      path: '/_health',
      async handle(_request, response) {
        const health = await monitor.health();
        const problem = problemOf(health);
        const body = { ...health, state: crawler?.status().state ?? 'STOPPED' };
        if (problem === undefined) sendJson(response, 200, { ok: true, ...body });
        else sendJson(response, 503, { ok: false, message: problem, ...body });
      },
    },
    {
      method: 'GET',
      path: '/_metrics',
      async handle(_request, response) {
        metrics ??= await openMetrics();
        sendRaw(response, 200, metrics.contentType, await metrics.text());
      },
    },
  ];
}

function problemOf({ engine, stuck }: Health): string | undefined {
  if (engine === 'away') return 'The search engine does not answer.';
  return stuck ? 'The scan has not moved for minutes, and no document is being worked on.' : undefined;
}
