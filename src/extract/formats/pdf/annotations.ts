import type { PdfObjects } from './objects/pdf-objects.js';
import type { PdfDict } from './objects/pdf-value.js';

/** The annotations of a page: what people wrote into it, and where its links lead. */
export interface PageAnnotations {
  /** Link targets; author, subject and text of notes, in the order of the page. */
  readonly lines: readonly string[];
  /** File specifications of file attachments. */
  readonly files: readonly PdfDict[];
}

/** Subtypes that carry a person's text (markup annotations that PDF viewers show with a pop-up). */
const MARKUP = new Set([
  'Text',
  'FreeText',
  'Line',
  'Square',
  'Circle',
  'Polygon',
  'PolyLine',
  'Highlight',
  'Underline',
  'Squiggly',
  'StrikeOut',
  'Stamp',
  'Caret',
  'Ink',
  'FileAttachment',
  'Sound',
]);

export function readAnnotations(objects: PdfObjects, pageNumber: number): PageAnnotations {
  const page = objects.dict({ kind: 'reference', number: pageNumber });
  const lines: string[] = [];
  const files: PdfDict[] = [];
  for (const item of objects.items(page?.entries.get('Annots'))) {
    const annotation = objects.dict(item);
    if (annotation === undefined) continue;
    const subtype = objects.name(annotation.entries.get('Subtype')) ?? '';
    const file = objects.dict(annotation.entries.get('FS'));
    if (file !== undefined) files.push(file);
    if (subtype === 'Link' || subtype === 'Widget') lines.push(linkTarget(objects, annotation));
    if (MARKUP.has(subtype)) lines.push(...['T', 'Subj', 'Contents'].map((key) => text(objects, annotation, key)));
  }
  return { lines: lines.filter((line) => line !== ''), files };
}

function linkTarget(objects: PdfObjects, annotation: PdfDict): string {
  const action = objects.dict(annotation.entries.get('A'));
  if (action === undefined || objects.name(action.entries.get('S')) !== 'URI') return '';
  return text(objects, action, 'URI').trim();
}

function text(objects: PdfObjects, dict: PdfDict, key: string): string {
  return (objects.text(dict.entries.get(key)) ?? '').replace(/\r\n?/g, '\n');
}
