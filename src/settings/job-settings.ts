import type { declarations } from './declarations/index.js';
import type { ValuesOf } from './setting.js';

/**
 * The settings of a job, frozen: one property for each declared setting. Durations are milliseconds (`…Ms`), sizes are
 * bytes, lists are never undefined. Some values are completed beyond what was written: `fs.excludes` holds the patterns
 * of password files, `fs.provider` follows `server.protocol`, `server.port` and `server.username` are the usual ones
 * of the provider, and `rest.legacy` tells whether the job was FSCrawler's.
 */
export type JobSettings = ValuesOf<typeof declarations>;
