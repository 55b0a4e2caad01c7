import { zipSync } from 'fflate';

/** Makes small Office packages: a main part with its content type, other parts, and relationships between them. */
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

export type Files = Readonly<Record<string, string | Uint8Array>>;

/** `[id, kind, target]`; a kind is the end of the type's URI or a whole one. `external` targets are URLs. */
export type Link = readonly [id: string, kind: string, target: string, external?: 'external'];

export interface PackageParts {
  /** Part name to content type. */
  readonly types: Readonly<Record<string, string>>;
  readonly files: Files;
  /** Part name to its relationships; `/` stands for the package. */
  readonly links: Readonly<Record<string, readonly Link[]>>;
}

export function zipFiles(files: Files): Uint8Array {
  const entries = Object.entries(files).map(([name, content]) => [
    name,
    typeof content === 'string' ? Buffer.from(content) : content,
  ]);
  return zipSync(Object.fromEntries(entries) as Record<string, Uint8Array>);
}

export function officePackage({ types, files, links }: PackageParts): Uint8Array {
  const overrides = Object.entries(types).map(([part, type]) => `<Override PartName="${part}" ContentType="${type}"/>`);
  const relationships = Object.entries(links).map(([source, list]) => [
    relationshipsPart(source),
    relationshipsXml(list),
  ]);
  return zipFiles({
    '[Content_Types].xml':
      `<?xml version="1.0"?><Types xmlns="${PACKAGE}/content-types">` +
      `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
      `<Default Extension="xml" ContentType="application/xml"/>${overrides.join('')}</Types>`,
    ...(Object.fromEntries(relationships) as Record<string, string>),
    ...files,
  });
}

function relationshipsPart(source: string): string {
  const slash = source.lastIndexOf('/');
  return `${source.slice(1, slash + 1)}_rels/${source.slice(slash + 1)}.rels`;
}

function relationshipsXml(links: readonly Link[]): string {
  const each = links.map(([id, kind, target, external]) => {
    const type = kind.includes('/')
      ? kind
      : kind.endsWith('core-properties')
        ? `${PACKAGE}/relationships/metadata/${kind}`
        : `${OFFICE}/${kind}`;
    return `<Relationship Id="${id}" Type="${type}" Target="${target}"${external === undefined ? '' : ' TargetMode="External"'}/>`;
  });
  return `<Relationships xmlns="${PACKAGE}/relationships">${each.join('')}</Relationships>`;
}

const WORD_NAMESPACES =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" ' +
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" ' +
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:v="urn:schemas-microsoft-com:vml" ' +
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ' +
  'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"';

export interface WordParts {
  readonly body: string;
  /** Other parts below `/word/`, by file name: `footnotes.xml`. */
  readonly parts?: Files;
  /** Relationships of the document. */
  readonly links?: readonly Link[];
  readonly packageLinks?: readonly Link[];
  readonly packageFiles?: Files;
}

/** `<w:p><w:r><w:t>text</w:t></w:r></w:p>` with properties in front. */
export function wordParagraph(text: string, properties = ''): string {
  return `<w:p>${properties}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

/** Wraps the content of any Word part in a root element that declares the namespaces. */
export function wordRoot(name: string, content: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><w:${name} ${WORD_NAMESPACES}>${content}</w:${name}>`;
}

export function docx({ body, parts = {}, links = [], packageLinks = [], packageFiles = {} }: WordParts): Uint8Array {
  const files = Object.entries(parts).map(([name, content]) => [`word/${name}`, content]);
  return officePackage({
    types: {
      '/word/document.xml': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml',
    },
    links: { '/': [['rId1', 'officeDocument', 'word/document.xml'], ...packageLinks], '/word/document.xml': links },
    files: {
      'word/document.xml': wordRoot('document', `<w:body>${body}</w:body>`),
      ...(Object.fromEntries(files) as Record<string, string>),
      ...packageFiles,
    },
  });
}

export interface SheetParts {
  readonly name: string;
  /** Inside `<worksheet>`. */
  readonly content: string;
  readonly links?: readonly Link[];
  readonly attributes?: string;
}

export interface WorkbookParts {
  readonly sheets: readonly SheetParts[];
  /** Inside `<workbook>`, before the sheets. */
  readonly properties?: string;
  /** Inside `<sst>` and `<styleSheet>`. */
  readonly strings?: string;
  readonly styles?: string;
  readonly files?: Files;
  readonly links?: Readonly<Record<string, readonly Link[]>>;
}

export function xlsx({ sheets, properties = '', strings, styles, files = {}, links = {} }: WorkbookParts): Uint8Array {
  const list = sheets.map(
    (sheet, index) =>
      `<sheet name="${sheet.name}" sheetId="${index + 1}" r:id="rId${index + 1}" ${sheet.attributes ?? ''}/>`,
  );
  const parts: Record<string, string | Uint8Array> = { ...files };
  const all: Record<string, readonly Link[]> = { ...links };
  sheets.forEach((sheet, index) => {
    parts[`xl/worksheets/sheet${index + 1}.xml`] = sheetRoot('worksheet', sheet.content);
    if (sheet.links !== undefined) all[`/xl/worksheets/sheet${index + 1}.xml`] = sheet.links;
  });
  if (strings !== undefined) parts['xl/sharedStrings.xml'] = sheetRoot('sst', strings);
  if (styles !== undefined) parts['xl/styles.xml'] = sheetRoot('styleSheet', styles);
  return officePackage({
    types: { '/xl/workbook.xml': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml' },
    links: {
      '/': [['rId1', 'officeDocument', 'xl/workbook.xml']],
      '/xl/workbook.xml': [
        ...sheets.map((_, index): Link => [`rId${index + 1}`, 'worksheet', `worksheets/sheet${index + 1}.xml`]),
        ['rIdStrings', 'sharedStrings', 'sharedStrings.xml'],
        ['rIdStyles', 'styles', 'styles.xml'],
      ],
      ...all,
    },
    files: { 'xl/workbook.xml': sheetRoot('workbook', `${properties}<sheets>${list.join('')}</sheets>`), ...parts },
  });
}

/** Wraps the content of any part of a workbook in a root element that declares the namespaces. */
export function sheetRoot(name: string, content: string): string {
  return (
    `<?xml version="1.0" encoding="UTF-8"?><${name} xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" ` +
    `xmlns:r="${OFFICE}" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ` +
    `xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" ` +
    `xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart">${content}</${name}>`
  );
}
