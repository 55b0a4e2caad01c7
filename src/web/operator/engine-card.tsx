import { useContext } from 'preact/hooks';
import type { HealthView } from '../operator-api.js';
import { MayChange } from '../parts/rights.js';
import type { Polled } from '../parts/use-polled.js';
import { useServiceView } from '../parts/use-service.js';
import { words } from '../text/operator.js';
import { Card } from './card.js';

export interface EngineCardProps {
  readonly version: string | undefined;
  readonly health: Polled<HealthView>;
}

/** Engine, service, and the settings that are in effect. */
export function EngineCard({ version, health }: EngineCardProps) {
  const mayChange = useContext(MayChange);
  const service = useServiceView(mayChange && version !== undefined);
  const engine = engineOf(health);
  return (
    <Card title={words.engine} kind={engine.away === undefined ? '' : 'wrong'}>
      {engine.away !== undefined && <p class="fault">{engine.away}</p>}
      {service !== undefined && engine.isUp && <p>{words.engineUp(service.engine)}</p>}
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

interface EngineState {
  readonly isUp: boolean;
  /** What is wrong with it. */
  readonly away: string | undefined;
}

/** A service that does not answer says nothing about its engine, and one whose scan is stuck may have an engine that answers. */
function engineOf({ value, fault }: Polled<HealthView>): EngineState {
  if (fault === undefined || fault.status === 0) return { isUp: value !== undefined, away: undefined };
  if (fault.details['engine'] === 'up') return { isUp: true, away: undefined };
  return { isUp: false, away: fault.message === '' ? words.engineAway : fault.message };
}

/** The page lies in `ui/`, the service one level above it. */
function addressOf(endpoint: '_metrics'): string {
  return `../${endpoint}`;
}
