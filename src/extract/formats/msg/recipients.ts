import type { OleContainer } from '../../containers/ole/ole.js';
import { asciiText, MapiStorage, type TextDecoding } from './mapi-storage.js';

export type RecipientKind = 'To' | 'Cc' | 'Bcc';

export interface Recipient {
  readonly kind: RecipientKind | undefined;
  readonly name: string | undefined;
  readonly displayName: string | undefined;
  readonly address: string | undefined;
}

const RECIPIENT_TYPE = 0x0c15;
const KINDS: readonly RecipientKind[] = ['To', 'Cc', 'Bcc'];

/** The recipients in the order of their storages, which are numbered. */
export function readRecipients(container: OleContainer, decode: TextDecoding): Recipient[] {
  return [...container.storages.keys()]
    .filter((path) => /^__recip_version1\.0_[^/]*$/i.test(path))
    .sort()
    .map((path) => {
      const storage = new MapiStorage(container, `${path}/`);
      const name = storage.text('5FF6', decode);
      return {
        kind: KINDS[(storage.number(RECIPIENT_TYPE) ?? 0) - 1],
        name,
        displayName: storage.text('3001', decode),
        address: addressOf(storage, name, decode),
      };
    });
}

/** The mail address where there is one; of an address of the Exchange directory what stands behind its first name part. */
function addressOf(storage: MapiStorage, name: string | undefined, decode: TextDecoding): string | undefined {
  const smtp = storage.text('39FE', decode);
  if (smtp !== undefined) return smtp;
  const address = storage.text('3003', decode);
  if (address !== undefined) return address.replace(/^.*?\/cn=/i, '');
  if (name?.includes('@') === true) return name.replace(/^'(.*)'$/, '$1');
  const search = storage.binary('300B');
  return search === undefined ? undefined : /SMTP:([^\0]+)/.exec(asciiText(search))?.[1];
}
