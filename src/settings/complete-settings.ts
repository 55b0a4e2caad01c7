import { declarationOf } from './declarations/sources/index.js';
import { type JobTraces, wasFscrawlers } from './fscrawler-job.js';
import type { JobSettings } from './job-settings.js';
import { isEmbedded } from './engine-provider.js';

/** Password files are secrets, never documents. */
const PASSWORD_FILES = ['*.password', '*/.password'] as const;

/** Adds what follows from other settings: see JobSettings. */
export function completeSettings(settings: JobSettings, traces: JobTraces): JobSettings {
  const { fs, server, engine, rest } = settings;
  const source = declarationOf(fs.provider);
  const usual = source.server?.(server) ?? {};
  const missing = PASSWORD_FILES.filter((pattern) => !fs.excludes.includes(pattern));
  return {
    ...settings,
    fs: {
      ...fs,
      url: source.root?.(fs.url) ?? fs.url,
      excludes: [...fs.excludes, ...missing],
      pageNumbers: fs.pageNumbers ?? isEmbedded(engine),
    },
    rest: { ...rest, legacy: rest.legacy ?? wasFscrawlers(settings, traces) },
    server: {
      ...server,
      port: server.port === 0 ? (usual.port ?? 0) : server.port,
      username: server.username ?? usual.username,
    },
  };
}
