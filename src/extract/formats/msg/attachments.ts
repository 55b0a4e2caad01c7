import type { OleContainer } from '../../containers/ole/ole.js';
import type { EmbeddedPart } from '../../format.js';
import { embeddedObject } from '../../containers/ole/embedded-objects.js';
import { MapiStorage, type TextDecoding } from './mapi-storage.js';

/** Attachments in the order of their storages, which are numbered: files, messages and OLE objects. */
export function* attachments(container: OleContainer, decode: TextDecoding): Generator<EmbeddedPart> {
  const storages = [...container.storages.keys()].filter((path) => /^__attach_version1\.0_[^/]*$/i.test(path)).sort();
  for (const path of storages) {
    const storage = new MapiStorage(container, `${path}/`);
    const name = ['3707', '3001', '3704']
      .map((property) => storage.text(property, decode))
      .find((each) => each?.trim());
    const bytes = storage.binary('3701');
    if (bytes !== undefined) yield { name: name ?? '', bytes };
    const inner = `${path}/__substg1.0_3701000D`;
    const part = container.storages.has(inner) ? embeddedObject(container, inner, { name }) : undefined;
    if (part !== undefined) yield part;
  }
}
