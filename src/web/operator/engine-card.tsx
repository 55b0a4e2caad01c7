import type { HealthView, ServiceView } from '../operator-api.js';
import { usePolled } from '../parts/use-polled.js';
import { words } from '../text/operator.js';
import { Card } from './card.js';

const HEALTH_MS = 10_000;

/** Engine, service, and the settings that are in effect. */
export function EngineCard({ service }: { readonly service: ServiceView | undefined }) {
  const { value, fault } = usePolled<HealthView>('_health', () => HEALTH_MS);
  // A service that does not answer says nothing about its engine.
  const isAway = fault !== undefined && fault.status !== 0;
  return (
    <Card title={words.engine} kind={isAway ? 'wrong' : ''}>
      {isAway && <p class="fault">{fault.message === '' ? words.engineAway : fault.message}</p>}
      {service !== undefined && value !== undefined && !isAway && <p>{words.engineUp(service.engine)}</p>}
      {service !== undefined && (
        <>
          <p>
            {words.service(service.version)} <a href={addressOf('_metrics')}>{words.metrics}</a>
          </p>
          <details>
            <summary>{words.settings}</summary>
            <pre class="scroll" tabIndex={0} role="group" aria-label={words.settings}>
              {JSON.stringify(service.settings, undefined, 2)}
            </pre>
          </details>
        </>
      )}
    </Card>
  );
}

/** The page lies in `ui/`, the service one level above it. */
function addressOf(endpoint: '_metrics'): string {
  return `../${endpoint}`;
}
