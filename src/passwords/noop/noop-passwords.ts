import type { PasswordProvider } from '../passwords.js';

/** No candidates: protected documents stay closed. */
export const noopPasswords: PasswordProvider = {
  type: 'noop',
  candidates: () => Promise.resolve([]),
};
