import type { ZipArchive } from '../containers/zip/zip.js';

/**
 * Office Open XML and its relatives (Visio, XPS, 3MF). `_rels/.rels` names the main part by a relationship, and
 * `[Content_Types].xml` gives that part's type, from which the document's type follows: `….document.main+xml` is a
 * `….document`. Both files are small and regular, so they are searched as text.
 */
const MAIN_PART = /\/relationships\/(?:officeDocument|document)$/;

/** Packages without a main part in the sense of Office: the relationship itself is the type. */
const BY_RELATIONSHIP: readonly (readonly [relationship: string, type: string])[] = [
  ['http://schemas.microsoft.com/xps/2005/06/fixedrepresentation', 'application/vnd.ms-xpsdocument'],
  ['http://schemas.openxps.org/oxps/v1.0/fixedrepresentation', 'application/vnd.ms-xpsdocument'],
  ['http://schemas.autodesk.com/dwfx/2007/relationships/documentsequence', 'model/vnd.dwfx+xps'],
  [
    'http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel',
    'application/vnd.ms-package.3dmanufacturing-3dmodel+xml',
  ],
];

const TAG = /<(?:\w+:)?(Relationship|Override|Default)\s([^>]*)>/g;
const ATTRIBUTE = /(\w+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

export function ooxmlType(archive: ZipArchive): string | undefined {
  const types = tagsOf(archive, '[Content_Types].xml');
  if (types === undefined) return undefined;
  const relationships = tagsOf(archive, '_rels/.rels') ?? [];
  for (const [relationship, type] of BY_RELATIONSHIP) {
    if (relationships.some((tag) => tag['Type'] === relationship)) return type;
  }
  const main = relationships.find((tag) => MAIN_PART.test(tag['Type'] ?? ''));
  const partType = typeOfPart(types, main?.['Target']) ?? anyMainType(types);
  return partType === undefined ? undefined : documentType(partType);
}

type Attributes = Readonly<Record<string, string>>;

function tagsOf(archive: ZipArchive, name: string): Attributes[] | undefined {
  const entry = archive.find(name);
  if (entry === undefined || entry.encrypted) return undefined;
  const text = Buffer.from(archive.read(entry)).toString('utf8');
  const tags: Attributes[] = [];
  for (const [, tag = '', inner = ''] of text.matchAll(TAG)) {
    const attributes: Record<string, string> = { tag };
    for (const [, key = '', double, single] of inner.matchAll(ATTRIBUTE)) attributes[key] = double ?? single ?? '';
    tags.push(attributes);
  }
  return tags;
}

function typeOfPart(types: readonly Attributes[], target: string | undefined): string | undefined {
  if (target === undefined) return undefined;
  const part = `/${target.replace(/^\.?\//, '')}`.toLowerCase();
  const named = types.find((tag) => tag['PartName']?.toLowerCase() === part);
  if (named !== undefined) return named['ContentType'];
  const extension = part.slice(part.lastIndexOf('.') + 1);
  return types.find((tag) => tag['Extension']?.toLowerCase() === extension)?.['ContentType'];
}

/** For packages whose relationships are damaged. */
function anyMainType(types: readonly Attributes[]): string | undefined {
  return types.map((tag) => tag['ContentType'] ?? '').find((type) => /\.main(?:\+xml)?$/.test(type));
}

function documentType(partType: string): string | undefined {
  if (partType.includes('.xps')) return 'application/vnd.ms-package.xps';
  const dot = partType.lastIndexOf('.');
  if (dot === -1) return undefined;
  const type = partType.slice(0, dot).toLowerCase();
  if (type.endsWith('macroenabled')) return `${type}.12`;
  return type.replace(/macroenabledtemplate$/, 'macroenabled.12');
}
