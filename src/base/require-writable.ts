import { accessSync, constants, statSync } from 'node:fs';
import { CrawlerError } from './errors.js';

/**
 * Throws `denied` for a folder that this user may not write to, with the uid that it needs: in a container or a service that
 * is the first thing to go wrong.
 *
 * @param purpose what the folder is for, at the beginning of the sentence: `The config directory`
 */
export function requireWritable(folder: string, purpose: string): void {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const user = process.getuid?.();
    const who = user === undefined ? 'this user' : `the user of this process (uid ${user})`;
    const owner = user === undefined ? '' : `; it belongs to uid ${statSync(folder).uid}`;
    const message = `${purpose} [${folder}] cannot be used: ${who} may not write to it${owner}. Give it to that user, or choose another folder.`;
    throw new CrawlerError('denied', message, { subject: folder, cause: error });
  }
}
