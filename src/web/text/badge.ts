import { localised } from './locale.js';

/** Words of the header that both pages have. */
const ago = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const UNITS = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
] as const;

/** How long something is past. */
export function since(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  for (const [length, unit] of UNITS) if (seconds >= length) return ago.format(-Math.floor(seconds / length), unit);
  return seconds < 10 ? 'just now' : 'less than a minute ago';
}

const english = {
  operator: 'Operator',
  signIn: 'Sign in',
  signOut: 'Sign out',
  key: 'Key of the service',
  readsOnly: 'You are signed in with a key that may search and look, and change nothing.',
  exposed:
    'This service asks for no key, and other machines reach it: whoever does may read and change everything. rest.api_keys sets keys.',
  stuck: 'nothing moves',
  pages: 'Pages',
  icons: { equal: '✔', pending: '◐', differs: '✖', unknown: '?' } as Readonly<Record<string, string>>,
  names: { equal: 'in sync', pending: 'not certain', differs: 'out of sync', unknown: 'never checked' } as Readonly<
    Record<string, string>
  >,
  checked: (ms: number): string => `checked ${since(ms)}`,
};

export const badge = localised(english);
