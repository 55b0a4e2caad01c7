import { createHash, timingSafeEqual } from 'node:crypto';

/** `full` may do everything; `read` may search and look, and changes nothing. */
export type Role = 'full' | 'read';

/** `rest.api_keys` and `rest.read_keys`. Without any key the service is open to whoever reaches it. */
export class KeyRing {
  readonly isLocked: boolean;
  readonly #full: readonly Buffer[];
  readonly #read: readonly Buffer[];

  constructor({ apiKeys, readKeys }: { readonly apiKeys: readonly string[]; readonly readKeys: readonly string[] }) {
    this.isLocked = apiKeys.length + readKeys.length > 0;
    this.#full = digestsOf(apiKeys);
    this.#read = digestsOf(readKeys);
  }

  roleOf(key: string): Role | undefined {
    const given = digest(key);
    // Every key is compared, and digests instead of keys, so that the time taken tells nothing.
    const isFull = this.#full.filter((each) => timingSafeEqual(each, given)).length > 0;
    const isRead = this.#read.filter((each) => timingSafeEqual(each, given)).length > 0;
    if (isFull) return 'full';
    return isRead ? 'read' : undefined;
  }
}

/** An empty key in the settings opens nothing. */
function digestsOf(keys: readonly string[]): readonly Buffer[] {
  return keys.filter((key) => key !== '').map(digest);
}

function digest(key: string): Buffer {
  return createHash('sha256').update(key, 'utf8').digest();
}
