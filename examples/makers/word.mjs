import {
  appProperties,
  contentTypes,
  coreProperties,
  PROPERTY_TYPES,
  RELATIONSHIPS,
  relationships,
  rootRelationships,
} from './office-package.mjs';
import { escapeXml, ISO_TIME, XML_HEAD, zipOf } from './package.mjs';

/** Word: the smallest package that the program opens without complaint, with all that a document can hide text in. */
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

/** `blocks`: `{ heading }`, `{ text }`, `{ item }` of a numbered list, `{ table }` of rows, `{ link, target }`. */
export function makeDocx({ properties, header, footer, blocks, comment, footnote }) {
  const links = blocks.filter((block) => block.link !== undefined);
  const first = 7;
  const body = blocks.map((block) => wordBlock(block, first + links.indexOf(block))).join('');
  const comments = `<w:comment w:id="0" w:author="${escapeXml(properties.author)}" w:date="${ISO_TIME}" w:initials="HT">${paragraph(comment)}</w:comment>`;
  const notes =
    '<w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>' +
    '<w:footnote w:type="continuationSeparator" w:id="0"><w:p><w:r><w:continuationSeparator/></w:r></w:p></w:footnote>' +
    `<w:footnote w:id="1">${paragraph(footnote)}</w:footnote>`;
  const section =
    '<w:sectPr><w:headerReference w:type="default" r:id="rId5"/><w:footerReference w:type="default" r:id="rId6"/>' +
    '<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr>';
  const part = (root, inner) =>
    `${XML_HEAD}<w:${root} xmlns:w="${WORD}" xmlns:r="${RELATIONSHIPS}">${inner}</w:${root}>`;
  return zipOf({
    '[Content_Types].xml': contentTypes({
      '/word/document.xml': 'officedocument.wordprocessingml.document.main',
      '/word/styles.xml': 'officedocument.wordprocessingml.styles',
      '/word/numbering.xml': 'officedocument.wordprocessingml.numbering',
      '/word/comments.xml': 'officedocument.wordprocessingml.comments',
      '/word/footnotes.xml': 'officedocument.wordprocessingml.footnotes',
      '/word/header1.xml': 'officedocument.wordprocessingml.header',
      '/word/footer1.xml': 'officedocument.wordprocessingml.footer',
      ...PROPERTY_TYPES,
    }),
    '_rels/.rels': rootRelationships('word/document.xml'),
    'word/document.xml': part('document', `<w:body>${body}${section}</w:body>`),
    'word/_rels/document.xml.rels': relationships([
      ['styles', 'styles.xml'],
      ['numbering', 'numbering.xml'],
      ['comments', 'comments.xml'],
      ['footnotes', 'footnotes.xml'],
      ['header', 'header1.xml'],
      ['footer', 'footer1.xml'],
      ...links.map((block) => ['hyperlink', block.target, 'External']),
    ]),
    'word/styles.xml': part('styles', WORD_STYLES),
    'word/numbering.xml': part('numbering', WORD_NUMBERING),
    'word/comments.xml': part('comments', comments),
    'word/footnotes.xml': part('footnotes', notes),
    'word/header1.xml': part('hdr', paragraph(header)),
    'word/footer1.xml': part('ftr', paragraph(footer)),
    'docProps/core.xml': coreProperties(properties),
    'docProps/app.xml': appProperties('make-documents', '<Pages>1</Pages>'),
  });
}

const WORD_STYLES =
  '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>' +
  '<w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/><w:rPr><w:sz w:val="40"/></w:rPr></w:style>' +
  '<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:rPr><w:b/><w:sz w:val="28"/></w:rPr></w:style>';

const WORD_NUMBERING =
  '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/>' +
  '<w:pPr><w:ind w:left="720" w:hanging="360"/></w:pPr></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>';

function run(text, inner = '') {
  return `<w:r>${inner}<w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r>`;
}

function paragraph(text, properties = '', after = '') {
  return `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}${run(text)}${after}</w:p>`;
}

function wordBlock(block, linkNumber) {
  if (block.title !== undefined) return paragraph(block.title, '<w:pStyle w:val="Title"/>');
  if (block.heading !== undefined) return paragraph(block.heading, '<w:pStyle w:val="Heading1"/>');
  if (block.item !== undefined)
    return paragraph(block.item, '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>');
  if (block.link !== undefined)
    return `<w:p><w:hyperlink r:id="rId${linkNumber}">${run(block.link)}</w:hyperlink></w:p>`;
  if (block.table !== undefined) return wordTable(block.table);
  const comment = block.commented
    ? '<w:r><w:commentReference w:id="0"/></w:r><w:r><w:footnoteReference w:id="1"/></w:r>'
    : '';
  return paragraph(block.text, '', comment);
}

function wordTable(rows) {
  const cell = (text) => `<w:tc><w:tcPr><w:tcW w:w="3000" w:type="dxa"/></w:tcPr>${paragraph(text)}</w:tc>`;
  const body = rows.map((row) => `<w:tr>${row.map(cell).join('')}</w:tr>`).join('');
  const columns = rows[0].map(() => '<w:gridCol w:w="3000"/>').join('');
  return `<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid>${columns}</w:tblGrid>${body}</w:tbl>`;
}
