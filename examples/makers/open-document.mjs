import { escapeXml, ISO_TIME, zipOf } from './package.mjs';

/** OpenDocument texts and spreadsheets (ISO 26300): the content, its properties, and a manifest of both. */
const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACES = ['office', 'text', 'table', 'style', 'meta']
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .concat('xmlns:dc="http://purl.org/dc/elements/1.1/"', 'xmlns:xlink="http://www.w3.org/1999/xlink"')
  .join(' ');

function makePackage(kind, body, { title, author, subject, keywords }) {
  const mediaType = `application/vnd.oasis.opendocument.${kind === 'text' ? 'text' : 'spreadsheet'}`;
  const words = keywords.map((keyword) => `<meta:keyword>${escapeXml(keyword)}</meta:keyword>`).join('');
  const meta =
    `<dc:title>${escapeXml(title)}</dc:title><dc:subject>${escapeXml(subject)}</dc:subject>${words}` +
    `<meta:initial-creator>${escapeXml(author)}</meta:initial-creator><dc:creator>${escapeXml(author)}</dc:creator>` +
    `<meta:creation-date>${ISO_TIME}</meta:creation-date><dc:date>${ISO_TIME}</dc:date><dc:language>en-GB</dc:language><meta:generator>make-documents</meta:generator>`;
  const entry = (path, type) => `<manifest:file-entry manifest:full-path="${path}" manifest:media-type="${type}"/>`;
  return zipOf(
    {
      mimetype: mediaType,
      'content.xml': `${XML}<office:document-content ${NAMESPACES} office:version="1.3"><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
      'meta.xml': `${XML}<office:document-meta ${NAMESPACES} office:version="1.3"><office:meta>${meta}</office:meta></office:document-meta>`,
      'META-INF/manifest.xml':
        `${XML}<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.3">` +
        `${entry('/', mediaType)}${entry('content.xml', 'text/xml')}${entry('meta.xml', 'text/xml')}</manifest:manifest>`,
    },
    ['mimetype'],
  );
}

export function makeOdt({ properties, paragraphs, note, link }) {
  const footnote = `<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>${escapeXml(note)}</text:p></text:note-body></text:note>`;
  const lines = paragraphs.map((text, i) => `<text:p>${escapeXml(text)}${i === 0 ? footnote : ''}</text:p>`).join('');
  const anchor = `<text:p><text:a xlink:type="simple" xlink:href="${escapeXml(link.target)}">${escapeXml(link.text)}</text:a></text:p>`;
  const heading = `<text:h text:outline-level="1">${escapeXml(properties.title)}</text:h>`;
  return makePackage('text', heading + lines + anchor, properties);
}

/** `rows` of texts and numbers. */
export function makeOds({ properties, name, rows }) {
  const cell = (value) =>
    typeof value === 'number'
      ? `<table:table-cell office:value-type="float" office:value="${value}"><text:p>${value}</text:p></table:table-cell>`
      : `<table:table-cell office:value-type="string"><text:p>${escapeXml(value)}</text:p></table:table-cell>`;
  const body = rows.map((row) => `<table:table-row>${row.map(cell).join('')}</table:table-row>`).join('');
  return makePackage('spreadsheet', `<table:table table:name="${escapeXml(name)}">${body}</table:table>`, properties);
}
