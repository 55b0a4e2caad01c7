import { decodeUtf16 } from '../../containers/charset/code-page.js';
import { findRecord, officeRecords, type OfficeRecord } from '../../containers/ole/office-records.js';
import type { Presentation } from './presentation.js';
import { TYPE } from './record-types.js';
import { shapesOf } from './slide-text.js';

/** Header and footer of a page, where they are shown. */
export interface HeaderFooter {
  readonly header: string | undefined;
  readonly footer: string | undefined;
}

/** Doubles as instance of the record that holds the settings of the whole document. */
export type PageKind = 'slides' | 'notes';

const INSTANCES: Readonly<Record<PageKind, number>> = { slides: 3, notes: 4 };
const HAS_HEADER = 0x10;
const HAS_FOOTER = 0x20;
const HEADER_STRING = 1;
const FOOTER_STRING = 2;
const HEADER_PLACEHOLDER = 10;
const FOOTER_PLACEHOLDER = 9;
/** The text of placeholders that nobody has filled in. */
const UNUSED = '*';
const TAG_2007 = '___PPT12';

/** PowerPoint 2007 keeps the texts in placeholders on the page, earlier versions in settings of page or document. */
export function headerFooterOf(presentation: Presentation, page: OfficeRecord, kind: PageKind): HeaderFooter {
  if (isFrom2007(presentation)) {
    return {
      header: placeholderText(page, HEADER_PLACEHOLDER),
      footer: placeholderText(page, FOOTER_PLACEHOLDER),
    };
  }
  const settings = findRecord(page.content, TYPE.headersFooters) ?? documentSettings(presentation, kind);
  if (settings === undefined) return { header: undefined, footer: undefined };
  const flags = findRecord(settings.content, TYPE.headersFootersAtom)?.content[2] ?? 0;
  return {
    header: (flags & HAS_HEADER) === 0 ? undefined : stringOf(settings, HEADER_STRING),
    footer: (flags & HAS_FOOTER) === 0 ? undefined : stringOf(settings, FOOTER_STRING),
  };
}

function isFrom2007(presentation: Presentation): boolean {
  const master = presentation.firstMaster;
  if (master === undefined) return false;
  const tag = findRecord(master.content, TYPE.programTags, TYPE.programBinaryTag, TYPE.characterString);
  return tag !== undefined && decodeUtf16(tag.content) === TAG_2007;
}

function placeholderText(page: OfficeRecord, placeholder: number): string | undefined {
  const text = shapesOf(page).find((shape) => shape.placeholder === placeholder)?.text;
  return text === UNUSED ? undefined : text;
}

function documentSettings(presentation: Presentation, kind: PageKind): OfficeRecord | undefined {
  for (const record of officeRecords(presentation.document.content)) {
    if (record.type === TYPE.headersFooters && record.instance === INSTANCES[kind]) return record;
  }
  return undefined;
}

function stringOf(settings: OfficeRecord, instance: number): string | undefined {
  for (const record of officeRecords(settings.content)) {
    if (record.type === TYPE.characterString && record.instance === instance) return decodeUtf16(record.content);
  }
  return undefined;
}
