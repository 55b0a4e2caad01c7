import { env } from 'node:process';
import { Option } from 'commander';
import { CONFIG_DIR_VARIABLE, defaultConfigDir } from '../settings/config-dir.js';

/** Options that every command has. */
export function configDir(): Option {
  return new Option('--config_dir <folder>', 'where the jobs are').default(
    defaultConfigDir(env),
    `${CONFIG_DIR_VARIABLE}, or else ~/.crawler`,
  );
}

export function setOption(): Option {
  return new Option('--set <key=value>', 'override a setting, e.g. --set fs.update_rate=5m (repeatable)')
    .default([], '')
    .argParser((value: string, before: readonly string[]) => [...before, value]);
}
