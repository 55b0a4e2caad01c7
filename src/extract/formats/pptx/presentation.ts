import type { OoxmlPackage } from '../../containers/ooxml/package.js';

/** The slides' parts in the order in which they are shown; slides that the list leaves out follow. */
export function slidesOf(pack: OoxmlPackage, presentation: string): string[] {
  const targets = new Map(pack.relationships(presentation).map((each) => [each.id, each.target]));
  const listed: string[] = [];
  pack.walk(presentation, {
    open: (name, attributes) => {
      const target = name === 'sldId' ? targets.get(attributes.prefixed('id') ?? '') : undefined;
      if (target !== undefined && pack.has(target)) listed.push(target);
    },
  });
  return [...new Set([...listed, ...pack.related(presentation, 'slide')])];
}
