import { posix } from 'node:path';
import { parseXml } from '../xml/xml.js';

export interface Relationship {
  readonly id: string;
  /** The last part of the type's URI, the same in the transitional and the strict dialect: `hyperlink`, `image`. */
  readonly kind: string;
  /** Absolute part name, or the URL as it stands for an external target. */
  readonly target: string;
  readonly external: boolean;
}

/** `/word/document.xml` → `/word/_rels/document.xml.rels`; `/` → `/_rels/.rels`. */
export function relationshipsPartOf(source: string): string {
  const slash = source.lastIndexOf('/');
  return `${source.slice(0, slash)}/_rels/${source.slice(slash + 1)}.rels`;
}

export function readRelationships(bytes: Uint8Array, source: string): Relationship[] {
  const found: Relationship[] = [];
  parseXml(bytes, {
    open: (name, attributes) => {
      const type = attributes.get('Type');
      const target = attributes.get('Target');
      if (name !== 'Relationship' || type === undefined || target === undefined) return;
      const external = attributes.get('TargetMode') === 'External';
      found.push({
        id: attributes.get('Id') ?? '',
        kind: type.slice(type.lastIndexOf('/') + 1),
        target: external ? target : resolvePartName(source, target),
        external,
      });
    },
  });
  return found;
}

/** Resolves a reference in a part against that part's folder. Fragments and escapes are not part of a name. */
export function resolvePartName(source: string, reference: string): string {
  const path = decodeEscapes(reference.split('#', 1)[0] ?? '').replaceAll('\\', '/');
  const folder = source.slice(0, source.lastIndexOf('/') + 1);
  return posix.normalize(path.startsWith('/') ? path : folder + path);
}

function decodeEscapes(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
