import { CrawlerError } from '../base/errors.js';

/**
 * What is wrong and what is odd with the settings, one line each. Everything is collected before it is reported, so that
 * they can be corrected in one go. A line begins with where it was said: `_settings.yaml:12: fs.urll is …`.
 */
export class Report {
  readonly #problems: string[] = [];
  readonly #warnings = new Set<string>();

  get warnings(): readonly string[] {
    return [...this.#warnings];
  }

  problem(origin: string, sentence: string): void {
    this.#problems.push(`${origin}: ${sentence}`);
  }

  warning(origin: string, sentence: string): void {
    this.#warnings.add(`${origin}: ${sentence}`);
  }

  throwIfProblems(subject: string): void {
    if (this.#problems.length === 0) return;
    // In the order of the file, whichever step found them.
    const sorted = this.#problems.toSorted((left, right) => left.localeCompare(right, 'en', { numeric: true }));
    const lines = sorted.map((problem) => `\n- ${problem}`).join('');
    throw new CrawlerError(
      'settings_invalid',
      `Can not load settings. Please make sure that your setting file(s) are properly formatted.${lines}`,
      { subject },
    );
  }
}
