import { join } from 'node:path';
import { Option } from 'commander';
import { homeFolder } from '../base/home-folder.js';

/** Options that every command has. */
export function configDir(): Option {
  const given = process.env['CRAWLER_CONFIG_DIR'];
  const folder = given === undefined || given === '' ? join(homeFolder(), '.crawler') : given;
  return new Option('--config_dir <folder>', 'where the jobs are').default(
    folder,
    'CRAWLER_CONFIG_DIR, or else ~/.crawler',
  );
}

export function setOption(): Option {
  return new Option('--set <key=value>', 'override a setting, e.g. --set fs.update_rate=5m (repeatable)')
    .default([], '')
    .argParser((value: string, before: readonly string[]) => [...before, value]);
}
