import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { send, type Status } from '../api.js';
import type { Session, Truth } from '../operator-api.js';
import { text } from '../text/en.js';
import { badge } from '../text/badge.js';
import { languageSuffix } from '../text/locale.js';
import { ForeignText } from './foreign-text.js';

const THEMES = ['system', 'light', 'dark'];
const THEME_KEY = 'crawler-theme';

export type PageName = 'search' | 'operator';

export interface PageHeaderProps {
  readonly page: PageName;
  readonly session: Session | undefined;
  readonly status: Status | undefined;
  readonly truth: Truth | undefined;
  /** The scan has not moved for minutes. */
  readonly isStuck?: boolean;
  /** Buttons of this page. */
  readonly children?: ComponentChildren;
}

/** Name of the job, what its crawl does, whether its index can be trusted, the way to the other page, and how it looks. */
export function PageHeader({ page, session, status, truth, isStuck = false, children }: PageHeaderProps) {
  const job = session?.job;
  const title = page === 'search' ? text.search : badge.operator;
  useEffect(() => {
    if (job !== undefined) document.title = `${job} – ${title}`;
  }, [job, title]);
  const ui = session?.ui ?? 'on';
  useEffect(() => {
    // Links to the page of operators are hidden where there is none (search.css).
    document.documentElement.dataset['ui'] = ui;
  }, [ui]);
  return (
    <header class="head">
      <Exposed session={session} />
      <h1>
        <ForeignText text={job ?? title} />
      </h1>
      <p class="state">
        {truth !== undefined && <TruthBadge truth={truth} />}
        {status !== undefined && <CrawlState status={status} isStuck={isStuck} />}
      </p>
      <nav aria-label={badge.pages}>
        {page === 'search' ? (
          <a class="button to-operator" href={addressOf('operator')}>
            {badge.operator}
          </a>
        ) : (
          <a class="button" href={addressOf('search')}>
            {text.search}
          </a>
        )}
      </nav>
      <ThemeChoice />
      {children}
      <SignOut session={session} />
    </header>
  );
}

type OfSession = Pick<PageHeaderProps, 'session'>;

/** Stays as long as it is so. */
function Exposed({ session }: OfSession) {
  if (session?.exposed !== true || session.keys) return null;
  return <p class="note wide">{badge.exposed}</p>;
}

function SignOut({ session }: OfSession) {
  if (session?.keys !== true || session.role === 'none') return null;
  return (
    <button type="button" class="plain" onClick={() => void signOut()}>
      {badge.signOut}
    </button>
  );
}

/** What is on the page goes with it. */
async function signOut(): Promise<void> {
  await send('DELETE', '_session');
  location.reload();
}

function CrawlState({ status, isStuck }: { readonly status: Status; readonly isStuck: boolean }) {
  const isWrong = status.state === 'ERROR' || isStuck;
  return (
    <span class={isWrong ? 'fault' : ''}>
      {isWrong && <span aria-hidden="true">{badge.icons['differs']} </span>}
      {stateOf(status)}
      {isStuck && ` · ${badge.stuck}`}
    </span>
  );
}

/** In words and with a sign: colour alone says nothing to some. */
function TruthBadge({ truth }: { readonly truth: Truth }) {
  return (
    <span class={`truth ${truth.state}`} title={truth.sentence}>
      <span aria-hidden="true">{badge.icons[truth.state]}</span> {badge.names[truth.state]}
      {truth.at !== null && `, ${badge.checked(Date.now() - Date.parse(truth.at))}`}
    </span>
  );
}

function ThemeChoice() {
  const [theme, setTheme] = useState(() => localStorage.getItem(THEME_KEY) ?? 'system');
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
    localStorage.setItem(THEME_KEY, theme);
  }, [theme]);
  return (
    <label class="theme">
      <span>{text.theme}</span>
      <select value={theme} onChange={({ currentTarget }) => setTheme(currentTarget.value)}>
        {THEMES.map((each) => (
          <option key={each} value={each}>
            {text.themes[each]}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The pages lie beside each other. */
export function addressOf(page: PageName): string {
  const suffix = languageSuffix === '' ? '' : `?${languageSuffix}`;
  return `${page === 'search' ? './' : 'operator'}${suffix}`;
}

export function stateOf(status: Status): string {
  const { state: reported, paused_by: by, activity, held_deletions: held, retry_count: retries } = status;
  // Between two scans a crawl is paused until the next one is due.
  const state = reported === 'PAUSED' && by === 'schedule' ? 'COMPLETED' : reported;
  const percent = activity.run?.percent ?? null;
  const progress = state === 'RUNNING' && percent !== null ? ` · ${text.percent(percent)}` : '';
  const waits = state === 'RUNNING' && retries > 0 ? ` · ${text.triesAgain}` : '';
  return `${text.states[state] ?? state}${waits}${progress}${held === null ? '' : ` · ${text.held}`}`;
}
