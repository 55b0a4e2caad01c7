import type { PdfObjects } from './objects/pdf-objects.js';
import type { PdfDict, PdfValue } from './objects/pdf-value.js';
import { zonedPdfDate } from './pdf-date.js';

/**
 * Form fields as lines `name: value`. Fields form a tree: a field whose kids have names of their own is a group, any other
 * is shown on the page by its kids (or by itself). Type, value and options are inherited from the group.
 */
const MAX_DEPTH = 32;
const MAX_FIELDS = 100_000;

interface Field {
  readonly dict: PdfDict;
  readonly parents: readonly PdfDict[];
}

export function formFieldLines(objects: PdfObjects): string[] {
  const form = objects.dict(objects.catalog.entries.get('AcroForm'));
  const lines: string[] = [];
  const seen = new Set<PdfDict>();
  const visit = (value: PdfValue, parents: readonly PdfDict[]): void => {
    const dict = objects.dict(value);
    if (dict === undefined || seen.has(dict) || parents.length > MAX_DEPTH || seen.size > MAX_FIELDS) return;
    seen.add(dict);
    const kids = objects.items(dict.entries.get('Kids'));
    const group = kids.some((kid) => objects.text(objects.dict(kid)?.entries.get('T')) !== undefined);
    if (group) {
      lines.push(`${label(dict, objects)}${objects.text(dict.entries.get('V')) ?? ''}`);
      for (const kid of kids) visit(kid, [...parents, dict]);
    } else lines.push(...fieldLines({ dict, parents }, objects));
  };
  for (const field of objects.items(form?.entries.get('Fields'))) visit(field, []);
  return lines.filter((line) => line !== '');
}

function fieldLines(field: Field, objects: PdfObjects): string[] {
  const type = objects.name(inherited(field, 'FT', objects));
  const value = inherited(field, 'V', objects);
  if (type === 'Sig') return signatureLines(objects.dict(value), objects);
  const shown = shownValue(type, field, value, objects);
  return shown === undefined ? [] : [label(field.dict, objects) + shown];
}

function shownValue(type: string | undefined, field: Field, value: PdfValue, objects: PdfObjects): string | undefined {
  if (type === 'Tx') return objects.text(value) ?? '';
  if (type === 'Btn') return buttonState(field, objects);
  return type === 'Ch' ? `[${choices(value, objects).join(', ')}]` : undefined;
}

function label(dict: PdfDict, objects: PdfObjects): string {
  const name = objects.text(dict.entries.get('T'));
  return name === undefined ? '' : `${name}: `;
}

function inherited(field: Field, key: string, objects: PdfObjects): PdfValue {
  for (const dict of [field.dict, ...field.parents.toReversed()]) {
    const value = objects.resolve(dict.entries.get(key));
    if (value !== null) return value;
  }
  return null;
}

/** The state of a check box or of a group of radio buttons; the name of a state may be an index into the options. */
function buttonState(field: Field, objects: PdfObjects): string {
  const pushButton = 1 << 16;
  const flags = inherited(field, 'Ff', objects);
  if (typeof flags === 'number' && (flags & pushButton) !== 0) return '';
  const state = objects.name(inherited(field, 'V', objects)) ?? 'Off';
  const options = objects.items(inherited(field, 'Opt', objects));
  return /^\d+$/.test(state) ? (objects.text(options[Number(state)]) ?? state) : state;
}

function choices(value: PdfValue, objects: PdfObjects): string[] {
  return objects.items(value).map((item) => objects.text(item) ?? '');
}

function signatureLines(signature: PdfDict | undefined, objects: PdfObjects): string[] {
  if (signature === undefined) return [];
  const text = (key: string): string => objects.text(signature.entries.get(key)) ?? '';
  return [text('ContactInfo'), zonedPdfDate(text('M')) ?? '', text('Location'), text('Name'), text('Reason')];
}
