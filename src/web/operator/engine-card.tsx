import { useContext } from 'preact/hooks';
import type { HealthView } from '../operator-api.js';
import { MayChange } from '../parts/rights.js';
import { usePolled } from '../parts/use-polled.js';
import { useServiceView } from '../parts/use-service.js';
import { words } from '../text/operator.js';
import { Card } from './card.js';

const HEALTH_MS = 10_000;

/** Engine, service, and the settings that are in effect. */
export function EngineCard({ version }: { readonly version: string | undefined }) {
  const mayChange = useContext(MayChange);
  const service = useServiceView(mayChange && version !== undefined);
  const { value, fault } = usePolled<HealthView>('_health', () => HEALTH_MS);
  // A service that does not answer says nothing about its engine.
  const isAway = fault !== undefined && fault.status !== 0;
  return (
    <Card title={words.engine} kind={isAway ? 'wrong' : ''}>
      {isAway && <p class="fault">{fault.message === '' ? words.engineAway : fault.message}</p>}
      {service !== undefined && value !== undefined && !isAway && <p>{words.engineUp(service.engine)}</p>}
      {version !== undefined && (
        <p>
          {words.service(version)} <a href={addressOf('_metrics')}>{words.metrics}</a>
        </p>
      )}
      {service !== undefined && (
        <details>
          <summary>{words.settings}</summary>
          <pre class="scroll" tabIndex={0} role="group" aria-label={words.settings}>
            {JSON.stringify(service.settings, undefined, 2)}
          </pre>
        </details>
      )}
    </Card>
  );
}

/** The page lies in `ui/`, the service one level above it. */
function addressOf(endpoint: '_metrics'): string {
  return `../${endpoint}`;
}
