import { join } from 'node:path';
import { fromHome, homeFolder } from '../base/home-folder.js';

/** The variable that says where the jobs are; `--config_dir` wins over it. */
export const CONFIG_DIR_VARIABLE = 'CRAWLER_CONFIG_DIR';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where the jobs are when no option says so. Asked at every start, so this file must not load the table of the settings. */
export function defaultConfigDir(environment: Environment): string {
  const given = environment[CONFIG_DIR_VARIABLE];
  return given === undefined || given === '' ? join(homeFolder(), '.crawler') : fromHome(given);
}
