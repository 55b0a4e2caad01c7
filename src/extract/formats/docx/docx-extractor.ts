import type { FormatContext, FormatInput } from '../../format.js';
import { writeEmbeddedParts } from '../../containers/ooxml/embedded-parts.js';
import { OoxmlPackage } from '../../containers/ooxml/package.js';
import { writeProperties } from '../../containers/ooxml/properties.js';
import { writeStory } from './story.js';

/** Parts whose relationships lead to embedded files, in the order in which those are written. */
const sourceKinds = ['header', 'footer', 'footnotes', 'endnotes', 'comments'];

/** Word documents and templates (docx, docm, dotx, dotm). */
export async function extract(input: FormatInput, context: FormatContext): Promise<void> {
  const pack = new OoxmlPackage(input.bytes, context);
  writeProperties(pack, context);
  const document = pack.mainPart(
    ['officeDocument'],
    /(document|template)\.(main|macroEnabled\w+\.main)\+xml$/,
    '/word/document.xml',
  );
  const stories = [document, ...pack.related(document, 'glossaryDocument')];
  for (const story of stories) writeStory(pack, story, context);
  const sources = stories.flatMap((story) => sourceKinds.flatMap((kind) => pack.related(story, kind)));
  await writeEmbeddedParts(pack, [...sources, ...stories], context);
}
