import { fromHome, homeFolder } from '../base/home-folder.js';
import { join } from 'node:path';
import { CONFIG_DIR_VARIABLE, type Environment } from './sources/environment.js';

/** Where the jobs are when no option says so. */
export function defaultConfigDir(environment: Environment): string {
  const given = environment[CONFIG_DIR_VARIABLE];
  return given === undefined || given === '' ? join(homeFolder(), '.crawler') : fromHome(given);
}
