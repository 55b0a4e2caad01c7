import { CrawlerError, systemCode, type ErrorCode } from '../base/errors.js';

const CODES: Readonly<Record<string, ErrorCode>> = {
  ENOENT: 'not_found',
  ENOTDIR: 'not_found',
  ESTALE: 'not_found',
  EACCES: 'denied',
  EPERM: 'denied',
  EISDIR: 'denied',
  ELOOP: 'denied',
  ENXIO: 'denied',
};

/** Why a file cannot be opened or read. */
export function readError(path: string | Buffer, cause: unknown): CrawlerError {
  const system = systemCode(cause) ?? '';
  const code = CODES[system] ?? 'unavailable';
  return new CrawlerError(code, `The file [${String(path)}] cannot be read (${system}).`, {
    cause,
    subject: String(path),
  });
}
