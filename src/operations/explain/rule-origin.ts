import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A rule of the settings, and where it stands. */
export interface RuleOrigin {
  /** `fs.excludes`. */
  readonly setting: string;
  /** The pattern, where the setting is a list of them. */
  readonly pattern: string | undefined;
  /** `_settings.yaml:14`, `CRAWLER_FS_EXCLUDES`, `--set`, `default` … */
  readonly origin: string;
}

/** Where a rule was written (`fs.excludes` and the pattern). The loader knows the line of the key; the pattern stands on it or below. */
export function ruleOrigin(
  rule: string,
  originOf: (setting: string) => string,
  jobDirectory: string,
): RuleOrigin | undefined {
  const [, setting, pattern] = /^((?:fs|tags)\.\w+)(?: (.*))?$/s.exec(rule) ?? [];
  if (setting === undefined) return undefined;
  const origin = originOf(setting);
  const [, file, line] = /^(.+):(\d+)$/.exec(origin) ?? [];
  if (pattern === undefined || file === undefined) return { setting, pattern, origin };
  return { setting, pattern, origin: `${file}:${lineOf(join(jobDirectory, file), Number(line), pattern)}` };
}

/** The line of the pattern at or below the line of its key; the key's own when it is written in another way. */
function lineOf(path: string, from: number, pattern: string): number {
  try {
    const lines = readFileSync(path, 'utf8').split('\n');
    const written = [pattern, JSON.stringify(pattern).slice(1, -1), pattern.replaceAll("'", "''")];
    const at = lines.findIndex((line, index) => index >= from - 1 && written.some((text) => line.includes(text)));
    return at < 0 ? from : at + 1;
  } catch {
    return from;
  }
}
