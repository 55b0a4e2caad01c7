import { decodeLatin1, decodeUtf16 } from '../../containers/charset/code-page.js';
import { findRecord, officeRecords, type OfficeRecord } from '../../containers/ole/office-records.js';
import { TYPE } from './record-types.js';

/**
 * Text on slides, masters and notes. A text is a header and then 16-bit characters or bytes; paragraphs end in CR, lines
 * in VT. It lies in the text boxes of shapes, and groups (tables are groups, too) hold shapes.
 */
export interface Shape {
  /** Undefined when the shape has no text of its own. */
  readonly text: string | undefined;
  /** From 7 to 10: date, number, footer, header; undefined when the shape is no placeholder. */
  readonly placeholder: number | undefined;
  /** The embedded object that the shape shows. */
  readonly objectId: number | undefined;
}

const MAX_DEPTH = 32;

/** Each text among records, without descending into them. A header without text counts as an empty one. */
export function textsOf(records: Iterable<OfficeRecord>): string[] {
  const texts: string[] = [];
  for (const record of records) {
    if (record.type === TYPE.textHeader) texts.push('');
    else if (record.type === TYPE.textCharacters)
      texts[Math.max(0, texts.length - 1)] = linesOf(decodeUtf16(record.content));
    else if (record.type === TYPE.textBytes)
      texts[Math.max(0, texts.length - 1)] = linesOf(decodeLatin1(record.content));
  }
  return texts;
}

function linesOf(text: string): string {
  return text.replace(/[\r\v]/g, '\n').replaceAll('\0', '');
}

/** The shapes that lie directly on a slide, master or notes page. */
export function shapesOf(page: OfficeRecord): Shape[] {
  const shapes: Shape[] = [];
  for (const group of topGroups(page)) {
    for (const record of officeRecords(group.content)) {
      if (record.type === TYPE.shapeContainer) shapes.push(readShape(record));
    }
  }
  return shapes;
}

/** Texts in groups and tables, at any depth. */
export function groupedTexts(page: OfficeRecord): string[] {
  const texts: string[] = [];
  const visit = (group: OfficeRecord, depth: number): void => {
    for (const record of officeRecords(group.content)) {
      if (record.type === TYPE.groupContainer && depth < MAX_DEPTH) visit(record, depth + 1);
      else if (record.type === TYPE.shapeContainer && depth > 0) texts.push(readShape(record).text ?? '');
    }
  };
  for (const group of topGroups(page)) visit(group, 0);
  return texts.filter((text) => text !== '');
}

function topGroups(page: OfficeRecord): OfficeRecord[] {
  const drawing = findRecord(page.content, TYPE.drawing, TYPE.drawingContainer);
  if (drawing === undefined) return [];
  return [...officeRecords(drawing.content)].filter((record) => record.type === TYPE.groupContainer);
}

function readShape(shape: OfficeRecord): Shape {
  const box = findRecord(shape.content, TYPE.textBox);
  const data = findRecord(shape.content, TYPE.clientData);
  const outline = box !== undefined && findRecord(box.content, TYPE.outlineReference) !== undefined;
  return {
    text: box === undefined || outline ? undefined : textsOf(officeRecords(box.content)).join('\n'),
    placeholder: data === undefined ? undefined : placeholderOf(data),
    objectId: data === undefined ? undefined : objectIdOf(data),
  };
}

/** Files of PowerPoint 2007 have a record of their own for placeholders of headers and footers. */
function placeholderOf(data: OfficeRecord): number | undefined {
  const placeholder = findRecord(data.content, TYPE.placeholder);
  if (placeholder !== undefined) return placeholder.content[4] ?? 0;
  return findRecord(data.content, TYPE.roundTripPlaceholder)?.content[0];
}

function objectIdOf(data: OfficeRecord): number | undefined {
  const reference = findRecord(data.content, TYPE.objectReference);
  if (reference === undefined || reference.content.length < 4) return undefined;
  const { buffer, byteOffset } = reference.content;
  return new DataView(buffer, byteOffset, 4).getUint32(0, true);
}
