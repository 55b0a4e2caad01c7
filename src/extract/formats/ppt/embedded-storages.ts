import { constants, inflateSync } from 'node:zlib';
import { openOle } from '../../containers/ole/ole.js';
import type { EmbeddedPart } from '../../format.js';
import { embeddedObject } from '../../containers/ole/embedded-objects.js';
import { findRecord, officeRecords, type OfficeRecord } from '../../containers/ole/office-records.js';
import type { Presentation } from './presentation.js';
import { TYPE } from './record-types.js';

/**
 * Embedded objects: compound files inside records, mostly deflated. Shapes name an object by its identifier, which the
 * object list of the document maps to the number of the record.
 */
const DEFLATED = 1;
const MAX_OBJECT_BYTES = 256 * 1024 * 1024;

export class EmbeddedStorages {
  readonly #presentation: Presentation;
  /** Record numbers by object identifier. */
  readonly #numbers: ReadonlyMap<number, number>;
  readonly #given = new Set<number>();

  constructor(presentation: Presentation) {
    this.#presentation = presentation;
    this.#numbers = readObjectList(presentation.document);
  }

  /** The object that a shape shows, without a printed name. */
  ofShape(objectId: number): EmbeddedPart | undefined {
    const number = this.#numbers.get(objectId);
    const record = number === undefined ? undefined : this.#presentation.persist.record(number);
    if (number === undefined || record?.type !== TYPE.oleStorage || this.#given.has(number)) return undefined;
    this.#given.add(number);
    return partOf(record, String(objectId), false);
  }

  /** The objects that no shape has shown. */
  *others(): Generator<EmbeddedPart> {
    let count = 0;
    for (const { number, record } of this.#presentation.persist.ofType(TYPE.oleStorage)) {
      if (this.#given.has(number)) continue;
      const part = partOf(record, `UNKNOWN-${count}`, true);
      count++;
      if (part !== undefined) yield part;
    }
  }
}

function readObjectList(document: OfficeRecord): Map<number, number> {
  const numbers = new Map<number, number>();
  const list = findRecord(document.content, TYPE.objectList);
  if (list === undefined) return numbers;
  for (const object of officeRecords(list.content)) {
    const atom = object.container ? findRecord(object.content, TYPE.oleObject) : undefined;
    if (atom === undefined || atom.content.length < 20) continue;
    const view = new DataView(atom.content.buffer, atom.content.byteOffset, atom.content.byteLength);
    numbers.set(view.getUint32(8, true), view.getUint32(16, true));
  }
  return numbers;
}

/** Objects that are no compound file are handed on as they are. Undefined for damaged and empty ones. */
function partOf(record: OfficeRecord, name: string, printName: boolean): EmbeddedPart | undefined {
  const bytes = objectBytes(record);
  if (bytes === undefined || bytes.length === 0) return undefined;
  try {
    return embeddedObject(openOle(bytes), '', { name, printName });
  } catch {
    return { name, bytes, printName };
  }
}

/** Deflated objects have their size in front. */
function objectBytes(record: OfficeRecord): Uint8Array | undefined {
  if (record.instance !== DEFLATED) return record.content;
  try {
    const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MAX_OBJECT_BYTES };
    return inflateSync(record.content.subarray(4), options);
  } catch {
    return undefined;
  }
}
