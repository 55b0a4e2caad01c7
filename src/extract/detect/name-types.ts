import {
  BINARY_EXTENSIONS,
  GZIP_EXTENSIONS,
  MP4_EXTENSIONS,
  OLE_EXTENSIONS,
  ZIP_EXTENSIONS,
} from './binary-extensions.js';
import { TEXT_EXTENSIONS, XML_EXTENSIONS } from './text-extensions.js';

/**
 * Media types by file name. A name never overrules content: it refines what the content says (a zip that is called
 * `.docx`, text that is called `.java`), so each type is listed under the kind of content it is a special case of.
 */
export type ContentKind = 'text' | 'xml' | 'zip' | 'ole' | 'gzip' | 'mp4' | 'binary';

export interface NamedType {
  readonly type: string;
  readonly kind: ContentKind;
}

const EXTENSIONS: Readonly<Record<ContentKind, Readonly<Record<string, string>>>> = {
  text: TEXT_EXTENSIONS,
  xml: XML_EXTENSIONS,
  zip: ZIP_EXTENSIONS,
  ole: OLE_EXTENSIONS,
  gzip: GZIP_EXTENSIONS,
  mp4: MP4_EXTENSIONS,
  binary: BINARY_EXTENSIONS,
};

/** Whole file names, lower case. */
const NAMES: Readonly<Record<string, NamedType>> = {
  makefile: { type: 'text/x-makefile', kind: 'text' },
  gnumakefile: { type: 'text/x-makefile', kind: 'text' },
  rdf: { type: 'application/rdf+xml', kind: 'xml' },
  owl: { type: 'application/rdf+xml', kind: 'xml' },
};

const byExtension = indexExtensions();

function indexExtensions(): ReadonlyMap<string, NamedType> {
  const index = new Map<string, NamedType>();
  for (const [kind, types] of Object.entries(EXTENSIONS) as [ContentKind, Record<string, string>][]) {
    for (const [type, extensions] of Object.entries(types)) {
      for (const extension of extensions.split(' ')) {
        index.set(extension, { type, kind });
      }
    }
  }
  return index;
}

/** What a file of this name most likely is. The longest known extension wins: `a.warc.gz` before `a.gz`. */
export function typeOfName(name: string): NamedType | undefined {
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1).toLowerCase();
  const whole = Object.hasOwn(NAMES, base) ? NAMES[base] : undefined;
  if (whole !== undefined) return whole;
  for (let dot = base.indexOf('.'); dot !== -1; dot = base.indexOf('.', dot + 1)) {
    const found = byExtension.get(base.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Every type that a name can tell, with its extensions. */
export function namedTypes(): readonly (readonly [type: string, extensions: readonly string[]])[] {
  return Object.values(EXTENSIONS).flatMap((types) =>
    Object.entries(types).map(([type, extensions]) => [type, extensions.split(' ')] as const),
  );
}
