import { homedir } from 'node:os';
import { join } from 'node:path';
import { Option } from 'commander';

/** Options that every command has. */
export function configDir(): Option {
  return new Option('--config_dir <folder>', 'where the jobs are').default(join(homedir(), '.crawler'), '~/.crawler');
}

export function setOption(): Option {
  return new Option('--set <key=value>', 'override a setting, e.g. --set fs.update_rate=5m (repeatable)')
    .default([], '')
    .argParser((value: string, before: readonly string[]) => [...before, value]);
}
