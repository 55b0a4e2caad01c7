import type { PasswordProvider } from '../passwords.js';

/** The same candidates for every document, in the order of the settings. */
export class StaticPasswords implements PasswordProvider {
  readonly type = 'static';
  readonly #values: readonly string[];

  constructor(values: readonly string[]) {
    this.#values = values;
  }

  candidates(): Promise<readonly string[]> {
    return Promise.resolve(this.#values);
  }
}
