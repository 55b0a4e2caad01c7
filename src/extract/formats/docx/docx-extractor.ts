import type { FormatContext, FormatExtractor, FormatInput } from '../../format.js';
import { writeEmbeddedParts } from '../../containers/ooxml/embedded-parts.js';
import { OoxmlPackage } from '../../containers/ooxml/package.js';
import { writeProperties } from '../../containers/ooxml/properties.js';
import { writeStory } from './story.js';

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
const MACRO = 'macroenabled.12';

/** Parts whose relationships lead to embedded files, in the order in which those are written. */
const sourceKinds = ['header', 'footer', 'footnotes', 'endnotes', 'comments'];

/** Word documents and templates (docx, docm, dotx, dotm). */
export const docxExtractor: FormatExtractor = {
  name: 'docx',
  mediaTypes: [
    `${WORD}.document`,
    `${WORD}.template`,
    `application/vnd.ms-word.document.${MACRO}`,
    `application/vnd.ms-word.template.${MACRO}`,
  ],

  async extract(input: FormatInput, context: FormatContext): Promise<void> {
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
  },
};
