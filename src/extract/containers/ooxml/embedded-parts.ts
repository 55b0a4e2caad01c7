import type { FormatContext } from '../../format.js';
import { readOleObject } from '../ole/ole-object.js';
import type { OoxmlPackage } from './package.js';
import type { Relationship } from './relationships.js';

/**
 * Hands on what is embedded in a package: pictures, media, packages, OLE objects and chunks of other formats that the
 * given parts refer to, each target once; the thumbnail comes last.
 */
const fileKinds: ReadonlySet<string> = new Set(['image', 'media', 'video', 'audio', 'package', 'oleObject', 'aFChunk']);

export async function writeEmbeddedParts(
  pack: OoxmlPackage,
  sources: readonly string[],
  context: FormatContext,
): Promise<void> {
  const seen = new Set<string>();
  for (const source of sources) {
    for (const relationship of pack.relationships(source)) {
      if (relationship.external || !fileKinds.has(relationship.kind) || seen.has(relationship.target)) continue;
      seen.add(relationship.target);
      await writePart(pack, relationship, context);
    }
  }
  for (const thumbnail of pack.related('/', 'thumbnail')) {
    const bytes = pack.read(thumbnail);
    if (bytes !== undefined) await context.embedded({ name: baseName(thumbnail), bytes, printName: false });
  }
}

async function writePart(pack: OoxmlPackage, relationship: Relationship, context: FormatContext): Promise<void> {
  const bytes = pack.read(relationship.target);
  if (bytes === undefined) return;
  const object = relationship.kind === 'oleObject' ? readOleObject(bytes) : undefined;
  if (object === undefined) await context.embedded({ name: baseName(relationship.target), bytes });
  else await context.embedded({ name: object.name, bytes: object.bytes, printName: object.name !== '' });
}

function baseName(part: string): string {
  return part.slice(part.lastIndexOf('/') + 1);
}
