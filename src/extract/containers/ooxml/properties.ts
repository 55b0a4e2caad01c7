import { parseXml, type XmlVisitor } from '../xml/xml.js';
import type { FormatContext } from '../../format.js';
import { metaList, w3cDate } from './metadata-values.js';
import type { OoxmlPackage } from './package.js';

/**
 * What a package says about itself, under Tika's keys: core properties (Dublin Core), extended properties (`app.xml`:
 * application, counts) and the properties that a person defined (`custom.xml`).
 */
type Target = (value: string, context: FormatContext) => void;

export function writeProperties(pack: OoxmlPackage, context: FormatContext): void {
  const [core] = partsFor(pack, 'core-properties');
  if (core !== undefined) writeFields(pack, core, coreTargets, context);
  writeExtended(pack, context);
  for (const part of partsFor(pack, 'custom-properties')) writeCustom(pack, part, context);
}

/** By relationship, else by content type: some programs write relationships that lead nowhere. */
function partsFor(pack: OoxmlPackage, kind: string): string[] {
  const related = pack.related('/', kind);
  return related.length > 0 ? related : pack.ofType(new RegExp(`\\.${kind}\\+xml$`));
}

const coreTargets: Readonly<Record<string, Target>> = {
  category: text('cp:category'),
  contentStatus: text('cp:contentStatus'),
  created: date('dcterms:created'),
  creator: list('dc:creator'),
  description: text('dc:description'),
  identifier: text('dc:identifier'),
  subject: text('dc:subject'),
  keywords: (value, context) => {
    context.meta('meta:keyword', value);
    context.meta('dc:subject', value);
  },
  language: text('dc:language'),
  lastModifiedBy: text('meta:last-author'),
  lastPrinted: date('meta:print-date'),
  modified: date('dcterms:modified'),
  revision: text('cp:revision'),
  title: text('dc:title'),
  version: text('cp:version'),
};

const extendedTargets: Readonly<Record<string, Target>> = {
  Application: text('extended-properties:Application'),
  AppVersion: text('extended-properties:AppVersion'),
  Company: (value, context) => {
    context.meta('dc:publisher', value);
    context.meta('extended-properties:Company', value);
  },
  Manager: list('extended-properties:Manager'),
  Notes: count('extended-properties:Notes'),
  PresentationFormat: text('extended-properties:PresentationFormat'),
  Template: text('extended-properties:Template'),
  TotalTime: count('extended-properties:TotalTime'),
  DocSecurity: count('extended-properties:DocSecurity'),
  Pages: count('meta:page-count'),
  Slides: count('meta:slide-count'),
  Paragraphs: count('meta:paragraph-count'),
  Lines: count('meta:line-count'),
  Words: count('meta:word-count'),
  Characters: count('meta:character-count'),
  CharactersWithSpaces: count('meta:character-count-with-spaces'),
};

const security: Readonly<Record<string, string>> = {
  0: 'None',
  1: 'PasswordProtected',
  2: 'ReadOnlyRecommended',
  4: 'ReadOnlyEnforced',
  8: 'LockedForAnnotations',
};

function writeExtended(pack: OoxmlPackage, context: FormatContext): void {
  const [part] = partsFor(pack, 'extended-properties');
  const values = part === undefined ? new Map<string, string>() : writeFields(pack, part, extendedTargets, context);
  context.meta('extended-properties:DocSecurityString', security[values.get('DocSecurity') ?? '0'] ?? 'Unknown');
  const pages = positive(values.get('Pages')) ?? positive(values.get('Slides'));
  if (pages !== undefined) context.setMeta('xmpTPg:NPages', String(pages));
}

/** A flat list of elements with text. Each is written once, as the first of its kind says. */
function writeFields(
  pack: OoxmlPackage,
  part: string,
  targets: Readonly<Record<string, Target>>,
  context: FormatContext,
): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  pack.walk(
    part,
    new LeafTexts((name, value) => {
      if (!values.has(name)) values.set(name, value);
    }),
  );
  for (const [name, target] of Object.entries(targets)) {
    const value = values.get(name);
    if (value !== undefined && value.trim() !== '') target(value, context);
  }
  return values;
}

/** Reports the text of every element that holds nothing but text. */
class LeafTexts implements XmlVisitor {
  readonly #report: (name: string, value: string) => void;
  #text = '';
  #leaf = false;

  constructor(report: (name: string, value: string) => void) {
    this.#report = report;
  }

  open(): void {
    this.#text = '';
    this.#leaf = true;
  }

  text(text: string): void {
    this.#text += text;
  }

  close(name: string): void {
    if (this.#leaf) this.#report(name, this.#text);
    this.#leaf = false;
  }
}

const dateTypes: ReadonlySet<string> = new Set(['date', 'filetime']);
const plainTypes: ReadonlySet<string> = new Set(
  'lpwstr lpstr bool i1 i2 i4 i8 int ui1 ui2 ui4 ui8 uint r4 r8 decimal'.split(' '),
);

/** `<property name="…"><vt:lpwstr>…</vt:lpwstr></property>`; vectors, arrays and binary values have no text form. */
function writeCustom(pack: OoxmlPackage, part: string, context: FormatContext): void {
  const bytes = pack.read(part);
  if (bytes === undefined) return;
  let property: string | undefined;
  let depth = 0;
  let value = '';
  parseXml(bytes, {
    open: (name, attributes) => {
      depth++;
      value = '';
      if (name === 'property') [property, depth] = [attributes.get('name'), 0];
    },
    text: (piece) => {
      value += piece;
    },
    close: (name) => {
      if (depth === 1 && property !== undefined) writeCustomValue(property, name, value, context);
      if (name === 'property') property = undefined;
      depth--;
    },
  });
}

function writeCustomValue(property: string, type: string, value: string, context: FormatContext): void {
  if (dateTypes.has(type)) context.meta(`custom:${property}`, w3cDate(value));
  else if (plainTypes.has(type)) context.meta(`custom:${property}`, type === 'bool' ? booleanText(value) : value);
}

function booleanText(value: string): string {
  return value === '1' || value.toLowerCase() === 'true' ? 'true' : 'false';
}

function text(key: string): Target {
  return (value, context) => context.meta(key, value);
}

function list(key: string): Target {
  return (value, context) => metaList(context, key, value);
}

function date(key: string): Target {
  return (value, context) => context.meta(key, w3cDate(value));
}

function count(key: string): Target {
  return (value, context) => context.meta(key, positive(value));
}

function positive(value: string | undefined): number | undefined {
  const number = Number.parseInt(value ?? '', 10);
  return number > 0 ? number : undefined;
}
