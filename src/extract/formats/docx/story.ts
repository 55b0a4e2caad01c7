import type { FormatContext } from '../../format.js';
import { BodyText, type BodyTextOptions } from '../../containers/ooxml/body-text.js';
import type { OoxmlPackage } from '../../containers/ooxml/package.js';
import { ListDefinitions } from './list-definitions.js';
import { Notes } from './notes.js';
import { Numbering } from './numbering.js';

/**
 * One story of a document: the body, or the glossary of its building blocks. Headers come first, then the body with its
 * notes and comments where they are referred to, then SmartArt, charts, comments without a place, and footers.
 */
export function writeStory(pack: OoxmlPackage, document: string, context: FormatContext): void {
  const definitions = new ListDefinitions();
  for (const part of pack.related(document, 'numbering')) pack.walk(part, definitions);
  const numbering = new Numbering(definitions);
  const notes = new Notes(pack, document);
  const plain: BodyTextOptions = {
    write: (text) => context.write(text),
    full: () => context.full,
    listNumber: (id, level) => numbering.next(id, level),
  };

  writeParts(pack, pack.related(document, 'header'), plain);
  const body = new BodyText({ ...plain, note: (kind, id) => notes.take(kind, id) });
  pack.walk(document, body);
  writeParts(pack, [...pack.related(document, 'diagramData'), ...pack.related(document, 'chart')], plain);
  for (const kind of ['footnote', 'comment', 'endnote'] as const) {
    for (const text of notes.rest(kind)) context.write(text);
  }
  writeParts(pack, pack.related(document, 'footer'), plain);
  writeTraits(body, notes, context);
}

function writeParts(pack: OoxmlPackage, parts: readonly string[], options: BodyTextOptions): void {
  for (const part of parts) pack.walk(part, new BodyText(options));
}

function writeTraits(body: BodyText, notes: Notes, context: FormatContext): void {
  const { traits } = body;
  if (traits.comments || notes.hasComments) context.setMeta('msoffice:has-comments', 'true');
  if (traits.trackedChanges) context.setMeta('msoffice:has-track-changes', 'true');
  if (traits.hiddenText) context.setMeta('msoffice:doc:has-hidden-text', 'true');
  if (traits.fieldHyperlinks) context.setMeta('msoffice:has-field-hyperlinks', 'true');
  for (const person of traits.people) context.meta('msoffice:comment-person-display-name', person);
}
