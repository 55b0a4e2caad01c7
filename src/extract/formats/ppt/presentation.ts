import { CrawlerError } from '../../../base/errors.js';
import { officeRecords, type OfficeRecord } from '../../containers/ole/office-records.js';
import { PersistDirectory } from './persist-directory.js';
import { TYPE } from './record-types.js';
import { textsOf } from './slide-text.js';

/**
 * The pages of a presentation. The document record lists masters, slides and notes in three lists, each entry with the
 * number of its record in the persist directory and an identifier by which pages refer to each other; the entries of
 * slides also hold the texts of titles and outlines.
 */
export interface Slide {
  readonly page: OfficeRecord;
  readonly outline: readonly string[];
  readonly master: OfficeRecord | undefined;
  readonly notes: OfficeRecord | undefined;
}

interface ListEntry {
  readonly page: OfficeRecord | undefined;
  readonly identifier: number;
  readonly texts: readonly string[];
}

const SLIDES = 0;
const MASTERS = 1;
const NOTES = 2;

export class Presentation {
  readonly persist: PersistDirectory;
  readonly document: OfficeRecord;
  readonly slides: readonly Slide[];
  readonly firstMaster: OfficeRecord | undefined;
  readonly firstNotes: OfficeRecord | undefined;

  /** `lastEdit`: see `PersistDirectory`. */
  constructor(stream: Uint8Array, lastEdit: number) {
    this.persist = new PersistDirectory(stream, lastEdit);
    const document = this.persist.ofType(TYPE.document).at(-1)?.record ?? lastDocument(stream);
    if (document === undefined) {
      throw new CrawlerError('corrupt', 'The presentation is damaged: its document record is missing.');
    }
    this.document = document;
    const masters = this.#list(MASTERS, [TYPE.mainMaster, TYPE.slide]);
    const notes = this.#list(NOTES, [TYPE.notes]);
    this.firstMaster = masters.find((entry) => entry.page?.type === TYPE.mainMaster)?.page;
    this.firstNotes = notes.find((entry) => entry.page !== undefined)?.page;
    this.slides = this.#list(SLIDES, [TYPE.slide]).flatMap((entry) => slideOf(entry, masters, notes));
  }

  #list(instance: number, types: readonly number[]): ListEntry[] {
    for (const record of officeRecords(this.document.content)) {
      if (record.type === TYPE.slideList && record.instance === instance) return this.#entries(record, types);
    }
    return [];
  }

  #entries(list: OfficeRecord, types: readonly number[]): ListEntry[] {
    const groups: { readonly head: OfficeRecord; readonly texts: OfficeRecord[] }[] = [];
    for (const record of officeRecords(list.content)) {
      if (record.type === TYPE.slidePersistAtom) groups.push({ head: record, texts: [] });
      else groups.at(-1)?.texts.push(record);
    }
    const seen = new Set<number>();
    return groups.map(({ head, texts }) => {
      const number = numberAt(head.content, 0);
      const page = seen.has(number) ? undefined : this.persist.record(number);
      seen.add(number);
      const fits = page !== undefined && types.includes(page.type);
      return { page: fits ? page : undefined, identifier: numberAt(head.content, 12), texts: textsOf(texts) };
    });
  }
}

/** The atom of a slide: layout (12 bytes), identifier of the master, of the notes. */
function slideOf(entry: ListEntry, masters: readonly ListEntry[], notes: readonly ListEntry[]): Slide[] {
  const { page } = entry;
  if (page === undefined) return [];
  const atom = [...officeRecords(page.content)].find((record) => record.type === TYPE.slideAtom);
  if (atom === undefined) return [];
  const byIdentifier = (entries: readonly ListEntry[], identifier: number): OfficeRecord | undefined =>
    identifier === 0 ? undefined : entries.find((each) => each.identifier === identifier)?.page;
  return [
    {
      page,
      outline: entry.texts,
      master: byIdentifier(masters, numberAt(atom.content, 12)),
      notes: byIdentifier(notes, numberAt(atom.content, 16)),
    },
  ];
}

/** For files whose directory is damaged. */
function lastDocument(stream: Uint8Array): OfficeRecord | undefined {
  let found: OfficeRecord | undefined;
  for (const record of officeRecords(stream)) if (record.type === TYPE.document) found = record;
  return found;
}

function numberAt(content: Uint8Array, at: number): number {
  if (at + 4 > content.length) return 0;
  return new DataView(content.buffer, content.byteOffset, content.byteLength).getUint32(at, true);
}
