import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '../../base/clock.js';
import { setNewest } from '../../base/set-newest.js';
import type { Role } from './key-ring.js';

const LIFETIME_MS = 12 * 60 * 60_000;
const MOST_SESSIONS = 1000;
const MINUTE_MS = 60_000;
const MOST_FAILURES = 10;

interface Session {
  readonly role: Role;
  readonly endsAt: number;
}

/**
 * Browsers that have signed in. Only digests of their tokens are kept, in memory: they end with the service, or after twelve
 * hours. Beyond a thousand, the oldest ends.
 */
export class Sessions {
  readonly #clock: Clock;
  readonly #sessions = new Map<string, Session>();
  #failures: readonly number[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The token of a new session. */
  open(role: Role): string {
    const now = this.#clock.now();
    for (const [key, { endsAt }] of this.#sessions) if (endsAt <= now) this.#sessions.delete(key);
    const token = randomBytes(32).toString('base64url');
    setNewest(this.#sessions, digest(token), { role, endsAt: now + LIFETIME_MS }, MOST_SESSIONS);
    return token;
  }

  roleOf(token: string): Role | undefined {
    const session = this.#sessions.get(digest(token));
    return session !== undefined && session.endsAt > this.#clock.now() ? session.role : undefined;
  }

  close(token: string): void {
    this.#sessions.delete(digest(token));
  }

  /** Whether somebody is trying keys: ten have been wrong within a minute. */
  get isGuessed(): boolean {
    return this.#recentFailures().length >= MOST_FAILURES;
  }

  noteFailure(): void {
    this.#failures = [...this.#recentFailures(), this.#clock.now()];
  }

  #recentFailures(): readonly number[] {
    const since = this.#clock.now() - MINUTE_MS;
    return this.#failures.filter((time) => time > since);
  }
}

function digest(token: string): string {
  return createHash('sha256').update(token, 'utf8').digest('base64url');
}
