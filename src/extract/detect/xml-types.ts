import { XML } from './type-names.js';
import { xmlRootOf, type XmlRoot } from './xml-root.js';

/** Dialects by their root element; an empty namespace means "none at all", `*` means any. */
const ROOTS: readonly (readonly [localName: string, namespace: string, type: string])[] = [
  ['html', 'http://www.w3.org/1999/xhtml', 'application/xhtml+xml'],
  ['svg', 'http://www.w3.org/2000/svg', 'image/svg+xml'],
  ['feed', 'http://www.w3.org/2005/Atom', 'application/atom+xml'],
  ['feed', 'http://purl.org/atom/ns#', 'application/atom+xml'],
  ['rss', '', 'application/rss+xml'],
  ['RDF', '', 'application/rdf+xml'],
  ['RDF', 'http://www.w3.org/1999/02/22-rdf-syntax-ns#', 'application/rdf+xml'],
  ['kml', '', 'application/vnd.google-earth.kml+xml'],
  ['kml', 'http://www.opengis.net/kml/2.2', 'application/vnd.google-earth.kml+xml'],
  ['kml', 'http://earth.google.com/kml/2.0', 'application/vnd.google-earth.kml+xml'],
  ['kml', 'http://earth.google.com/kml/2.1', 'application/vnd.google-earth.kml+xml'],
  ['kml', 'http://earth.google.com/kml/2.2', 'application/vnd.google-earth.kml+xml'],
  ['FictionBook', 'http://www.gribuser.ru/xml/fictionbook/2.0', 'application/x-fictionbook+xml'],
  ['Workbook', 'urn:schemas-microsoft-com:office:spreadsheet', 'application/vnd.ms-spreadsheetml'],
  ['Workbook', '', 'application/vnd.ms-spreadsheetml'],
  ['wordDocument', 'http://schemas.microsoft.com/office/word/2003/wordml', 'application/vnd.ms-wordml'],
  ['wordDocument', '', 'application/vnd.ms-wordml'],
  ['package', 'http://schemas.microsoft.com/office/2006/xmlPackage', 'application/vnd.ms-word2006ml'],
  ['DIF', '', 'application/dif+xml'],
  ['DIF', 'http://gcmd.gsfc.nasa.gov/Aboutus/xml/dif/', 'application/dif+xml'],
  ['map', '', 'application/dita+xml; format=map'],
  ['topic', '', 'application/dita+xml; format=topic'],
  ['task', '', 'application/dita+xml; format=task'],
  ['concept', '', 'application/dita+xml; format=concept'],
  ['smil', '', 'application/smil+xml'],
  ['tt', 'http://www.w3.org/ns/ttml', 'application/ttml+xml'],
  ['xdp', 'http://ns.adobe.com/xdp/', 'application/vnd.adobe.xdp+xml'],
  ['xfdf', 'http://ns.adobe.com/xfdf/', 'application/vnd.adobe.xfdf'],
  ['newsMessage', 'http://iptc.org/std/nar/2006-10-01/', 'application/vnd.iptc.g2.newsmessage+xml'],
  ['plist', '', 'application/x-plist'],
  ['xliff', 'urn:oasis:names:tc:xliff:document:1.2', 'application/x-xliff+xml'],
  ['tmx', '', 'application/x-tmx'],
  ['root', 'http://www.w3.org/1999/XSL/Format', 'application/xslfo+xml'],
  ['stylesheet', 'http://www.w3.org/1999/XSL/Transform', 'application/xslt+xml'],
  ['playlist', 'http://xspf.org/ns/0/', 'application/xspf+xml'],
  ['MD_metadata', 'http://www.isotc211.org/2005/gmd', 'text/iso19139+xml'],
  ['asx', '', 'application/x-ms-asx'],
  ['ASX', '', 'application/x-ms-asx'],
];

/** Root elements that make a document HTML, whatever its first line says. */
const HTML_ROOTS: ReadonlySet<string> = new Set(['html', 'link', 'body', 'p', 'script', 'frameset', 'iframe']);

const ODF_NAMESPACE = 'urn:oasis:names:tc:opendocument:xmlns:office:1.0';

const FLAT_ODF: Readonly<Record<string, string>> = {
  'application/vnd.oasis.opendocument.text': 'application/vnd.oasis.opendocument.flat.text',
  'application/vnd.oasis.opendocument.spreadsheet': 'application/vnd.oasis.opendocument.flat.spreadsheet',
  'application/vnd.oasis.opendocument.presentation': 'application/vnd.oasis.opendocument.flat.presentation',
  'application/vnd.oasis.opendocument.graphics': 'application/vnd.oasis.opendocument.flat.graphics',
};

/**
 * The dialect of a document that begins like XML: `application/xml` when the root is not known, undefined when there is no
 * well-formed root (it is HTML or plain text then).
 */
export function typeOfXml(text: string): string | undefined {
  const root = xmlRootOf(text);
  if (root === undefined) return undefined;
  const named = ROOTS.find(([localName, namespace]) => localName === root.localName && namespace === root.namespace);
  if (named !== undefined) return named[2];
  if (root.namespace === ODF_NAMESPACE && root.localName === 'document') return flatOdf(root);
  if (root.namespace === '' && HTML_ROOTS.has(root.localName.toLowerCase())) return 'text/html';
  return XML;
}

function flatOdf(root: XmlRoot): string {
  const type = [...root.attributes].find(([name]) => name.endsWith(':mimetype'))?.[1] ?? '';
  return FLAT_ODF[type] ?? 'application/vnd.oasis.opendocument.tika.flat.document';
}
