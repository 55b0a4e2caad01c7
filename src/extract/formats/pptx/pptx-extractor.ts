import type { FormatContext, FormatInput } from '../../format.js';
import { writeEmbeddedParts } from '../../containers/ooxml/embedded-parts.js';
import { OoxmlPackage } from '../../containers/ooxml/package.js';
import { writeProperties } from '../../containers/ooxml/properties.js';
import { slidesOf } from './presentation.js';
import { readCommentAuthors, writeComments, type CommentAuthor } from './slide-comments.js';
import { writeFixedShapes, writeShapes, writeSlideShapes, type SlideTraits } from './slide-text.js';

/** Parts of a slide whose relationships lead to embedded files, in the order in which those are written. */
const sourceKinds = ['vmlDrawing', 'slideLayout', 'notesMaster', 'notesSlide', 'chart'];

/** PowerPoint presentations, slide shows and templates (pptx, pptm, ppsx, ppsm, potx, potm, ppam, sldx). */
export async function extract(input: FormatInput, context: FormatContext): Promise<void> {
  const pack = new OoxmlPackage(input.bytes, context);
  writeProperties(pack, context);
  const main = pack.mainPart(
    ['officeDocument'],
    /(presentation|slideshow|template|addin)\.(main|macroEnabled\.main)\+xml$/i,
    '/ppt/presentation.xml',
  );
  const slides = slidesOf(pack, main);
  const authors = readCommentAuthors(pack, main);
  const traits: SlideTraits = { hiddenSlides: 0, animated: false };
  for (const slide of slides) {
    if (context.full) break;
    writeSlide(pack, slide, authors, traits, context);
  }
  for (const master of pack.related(main, 'slideMaster')) writeFixedShapes(pack, master, context);
  for (const master of pack.related(main, 'handoutMaster')) writeShapes(pack, master, context);
  writeTraits(traits, context);
  for (const author of authors.values()) context.meta('msoffice:comment-person-display-name', author.name);
  await writeEmbeddedParts(pack, sourcesOf(pack, main, slides), context);
}

/** The slide, what its layout adds, its notes and comments, then its SmartArt and charts. */
function writeSlide(
  pack: OoxmlPackage,
  slide: string,
  authors: ReadonlyMap<string, CommentAuthor>,
  traits: SlideTraits,
  context: FormatContext,
): void {
  context.page();
  writeSlideShapes(pack, slide, context, traits);
  for (const layout of pack.related(slide, 'slideLayout')) writeFixedShapes(pack, layout, context);
  for (const notes of pack.related(slide, 'notesSlide')) writeShapes(pack, notes, context);
  for (const comments of pack.related(slide, 'comments')) writeComments(pack, comments, authors, context);
  for (const part of [...pack.related(slide, 'diagramData'), ...pack.related(slide, 'chart')]) {
    writeShapes(pack, part, context);
  }
  context.write('\n');
}

function writeTraits(traits: SlideTraits, context: FormatContext): void {
  if (traits.animated) context.setMeta('msoffice:ppt:has-animations', 'true');
  if (traits.hiddenSlides === 0) return;
  context.setMeta('msoffice:ppt:has-hidden-slides', 'true');
  context.setMeta('msoffice:ppt:num-hidden-slides', String(traits.hiddenSlides));
}

function sourcesOf(pack: OoxmlPackage, main: string, slides: readonly string[]): string[] {
  const ofSlides = slides.flatMap((slide) => [...sourceKinds.flatMap((kind) => pack.related(slide, kind)), slide]);
  return [...ofSlides, main, ...pack.related(main, 'slideMaster'), ...pack.related(main, 'handoutMaster')];
}
