import { Database } from '../../base/sqlite.js';

/**
 * The program of a process that copies one database: `<from> <to>`. A copy takes as long as writing the file, in one call that
 * nothing can interrupt but the end of the process. `VACUUM INTO` reads one state of the file, whoever writes to it
 * meanwhile, and leaves the original as it is.
 */
const [, , from = '', to = ''] = process.argv;
const database = new Database(from, { readOnly: true, cacheKib: 4096 });
database.exec(`VACUUM INTO '${to.replaceAll("'", "''")}'`);
database.close();
