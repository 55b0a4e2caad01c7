import { parseXml } from '../../containers/xml/xml.js';
import type { FormatContext } from '../../format.js';

/** Dublin Core in the package document, under Tika's keys. All may occur several times; of dates the first counts. */
const keys: Readonly<Record<string, string>> = {
  title: 'dc:title',
  creator: 'dc:creator',
  subject: 'dc:subject',
  description: 'dc:description',
  publisher: 'dc:publisher',
  contributor: 'dc:contributor',
  type: 'dc:type',
  format: 'dc:format',
  identifier: 'dc:identifier',
  source: 'dc:source',
  language: 'dc:language',
  rights: 'dc:rights',
};

export function writeEpubMetadata(packageDocument: Uint8Array, context: FormatContext): void {
  let inMetadata = false;
  let text = '';
  let layout = 'reflowable';
  let date = '';
  parseXml(packageDocument, {
    open: (name, attributes) => {
      text = '';
      if (name === 'metadata') inMetadata = true;
      else if (name === 'package') context.meta('epub:version', attributes.get('version'));
    },
    text: (piece) => {
      if (inMetadata) text += piece;
    },
    close: (name) => {
      if (name === 'metadata') inMetadata = false;
      const key = inMetadata ? keys[name] : undefined;
      if (key !== undefined) context.meta(key, text.trim());
      else if (inMetadata && name === 'date') date ||= text.trim();
      else if (inMetadata && text.trim() === 'pre-paginated') layout = 'pre-paginated';
    },
  });
  context.meta('dcterms:created', date);
  context.meta('epub:rendition:layout', layout);
}
