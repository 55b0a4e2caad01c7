import { type JobTraces, wasFscrawlers } from './fscrawler-job.js';
import { fromHome } from './grammars.js';
import type { JobSettings } from './job-settings.js';

/** Password files are secrets, never documents. */
const PASSWORD_FILES = ['*.password', '*/.password'] as const;

/** Adds what follows from other settings: see JobSettings. */
export function completeSettings(settings: JobSettings, traces: JobTraces): JobSettings {
  const { fs, server, engine, rest } = settings;
  const missing = PASSWORD_FILES.filter((pattern) => !fs.excludes.includes(pattern));
  return {
    ...settings,
    fs: {
      ...fs,
      url: fs.provider === 'local' ? fromHome(fs.url) : fs.url,
      excludes: [...fs.excludes, ...missing],
      pageNumbers: fs.pageNumbers ?? engine.urls.length === 0,
    },
    rest: { ...rest, legacy: rest.legacy ?? wasFscrawlers(settings, traces) },
    server: {
      ...server,
      port: server.port === 0 ? usualPort(settings) : server.port,
      username: server.username ?? (fs.provider === 'ftp' ? 'anonymous' : undefined),
    },
  };
}

function usualPort({ fs, server }: JobSettings): number {
  if (fs.provider === 'ssh') return 22;
  if (fs.provider === 'ftp') return server.ftps === 'implicit' ? 990 : 21;
  return 0;
}
