import { fromHome, homeFolder } from '../base/home-folder.js';
import { join } from 'node:path';
import type { Environment } from './sources/environment.js';

/** The variable that says where the jobs are; `--config_dir` wins over it. */
export const CONFIG_DIR_VARIABLE = 'CRAWLER_CONFIG_DIR';

/** Where the jobs are when no option says so. */
export function defaultConfigDir(environment: Environment): string {
  const given = environment[CONFIG_DIR_VARIABLE];
  return given === undefined || given === '' ? join(homeFolder(), '.crawler') : fromHome(given);
}
