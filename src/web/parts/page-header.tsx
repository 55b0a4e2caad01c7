import { useEffect, useState } from 'preact/hooks';
import { ask, type Status } from '../api.js';
import { text } from '../text/en.js';
import { ForeignText } from './foreign-text.js';

interface ServiceView {
  readonly settings: { readonly name?: string };
}

const RUNNING_MS = 2000;
const IDLE_MS = 10_000;
const THEMES = ['system', 'light', 'dark'];
const THEME_KEY = 'crawler-theme';

/** Name of the job, what its crawl does, and how the page looks. */
export function PageHeader({ onKeys }: { readonly onKeys: () => void }) {
  const job = useJob();
  const status = useStatus();
  const [theme, setTheme] = useState(() => localStorage.getItem(THEME_KEY) ?? 'system');
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
    localStorage.setItem(THEME_KEY, theme);
  }, [theme]);
  return (
    <header class="head">
      <h1>
        <ForeignText text={job ?? text.search} />
      </h1>
      <p class="state">{status === undefined ? '' : stateOf(status)}</p>
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
      <button type="button" class="plain" onClick={onKeys}>
        {text.keys}
      </button>
    </header>
  );
}

function stateOf({ state: reported, paused_by: by, activity, held_deletions: held }: Status): string {
  // Between two scans a crawl is paused until the next one is due.
  const state = reported === 'PAUSED' && by === 'schedule' ? 'COMPLETED' : reported;
  const percent = activity.run?.percent ?? null;
  const progress = state === 'RUNNING' && percent !== null ? ` · ${text.percent(percent)}` : '';
  return `${text.states[state] ?? state}${progress}${held === null ? '' : ` · ${text.held}`}`;
}

function useJob(): string | undefined {
  const [job, setJob] = useState<string>();
  useEffect(() => {
    ask<ServiceView>('', new URLSearchParams()).then(
      ({ settings }) => {
        setJob(settings.name);
        document.title = `${settings.name ?? text.search} – ${text.search}`;
      },
      () => undefined,
    );
  }, []);
  return job;
}

/** Asked again and again, but not while nobody looks at the page. */
function useStatus(): Status | undefined {
  const [status, setStatus] = useState<Status>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async (): Promise<void> => {
      const now = document.hidden ? undefined : await ask<Status>('_crawler/status', NONE).catch(() => undefined);
      if (now !== undefined) setStatus(now);
      timer = setTimeout(() => void look(), now?.state === 'RUNNING' ? RUNNING_MS : IDLE_MS);
    };
    void look();
    return () => clearTimeout(timer);
  }, []);
  return status;
}

const NONE = new URLSearchParams();
