import { messageOf } from '../../base/errors.js';

/** One line of a doctor: what was looked at, how it stands, and what to do where it does not stand well. */
export interface Check {
  readonly name: string;
  /** `broken` keeps the crawler from its work, `warning` costs something, `skipped` could not or need not be checked. */
  readonly status: 'ok' | 'warning' | 'broken' | 'skipped';
  readonly text: string;
  readonly remedy?: string;
}

export function ok(name: string, text: string): Check {
  return { name, status: 'ok', text };
}

export function skipped(name: string, text: string): Check {
  return { name, status: 'skipped', text };
}

export function warning(name: string, text: string, remedy: string): Check {
  return { name, status: 'warning', text, remedy };
}

export function broken(name: string, text: string, remedy: string): Check {
  return { name, status: 'broken', text, remedy };
}

/** A check that fails is a finding of its own: the others continue. Messages of the program say what to do already. */
export async function attempt(name: string, work: () => Promise<Check | readonly Check[]>): Promise<readonly Check[]> {
  try {
    const found = await work();
    return 'name' in found ? [found] : found;
  } catch (error) {
    return [{ name, status: 'broken', text: messageOf(error) }];
  }
}
