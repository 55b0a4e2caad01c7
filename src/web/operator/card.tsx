import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { ForeignText } from '../parts/foreign-text.js';
import type { Action } from './use-action.js';

export interface CardProps {
  readonly title: string;
  /** How it looks: `held`, `upload` … */
  readonly kind?: string;
  /** Beside the title. */
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Card({ title, kind = '', aside, children }: CardProps) {
  const id = useId();
  return (
    <section class={`card ${kind}`} aria-labelledby={id}>
      <div class="card-head">
        <h2 id={id}>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** What the service answered to a button. */
export function Said({ action }: { readonly action: Pick<Action, 'message' | 'failed'> }) {
  return (
    <p class={action.failed ? 'said fault' : 'said'} role="status">
      {action.message !== undefined && <ForeignText text={action.message} />}
    </p>
  );
}

/** A moment as people say it, with the exact one behind it. */
export function Moment({ at, children }: { readonly at: string; readonly children: ComponentChildren }) {
  return (
    <time dateTime={at} title={new Date(at).toLocaleString('en')}>
      {children}
    </time>
  );
}
