import { CrawlerError, messageOf, systemCode } from '../base/errors.js';

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection is refused',
  ECONNRESET: 'the connection broke off',
  EPIPE: 'the connection broke off',
  ERR_STREAM_PREMATURE_CLOSE: 'the connection broke off',
  ETIMEDOUT: 'the server does not answer',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name cannot be looked up',
};

/** Why a connection failed, as the end of a sentence. */
export function networkReason(error: unknown): string {
  return REASONS[systemCode(error) ?? ''] ?? messageOf(error).replace(/[.\s]+$/, '');
}

/**
 * A failed connection as a CrawlerError. Certificates that do not fit are `denied`: trying again does not help, and
 * continuing would mean trusting an unknown server.
 */
export function networkFault(what: string, subject: string, error: unknown): CrawlerError {
  if (error instanceof CrawlerError) return error;
  const code = systemCode(error) ?? '';
  const certificate = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/.test(code);
  const hint = certificate
    ? ` (${code}). Add the issuer of its certificate to the file that NODE_EXTRA_CA_CERTS names`
    : '';
  return new CrawlerError(certificate ? 'denied' : 'unavailable', `${what}: ${networkReason(error)}${hint}.`, {
    cause: error,
    subject,
  });
}
