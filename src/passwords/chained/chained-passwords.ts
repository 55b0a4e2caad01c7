import type { PasswordProvider } from '../passwords.js';

/** The candidates of several providers, one after the other. */
export class ChainedPasswords implements PasswordProvider {
  readonly type = 'chained';
  readonly #providers: readonly PasswordProvider[];

  constructor(providers: readonly PasswordProvider[]) {
    this.#providers = providers;
  }

  async candidates(path: string): Promise<readonly string[]> {
    const found: string[] = [];
    for (const provider of this.#providers) found.push(...(await provider.candidates(path)));
    return [...new Set(found)];
  }
}
