import { escapeXml, ISO_TIME, XML_HEAD } from './package.mjs';

/** What Word, Excel and PowerPoint files have in common (ECMA-376): types of parts, links between parts, properties. */
export const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

export function contentTypes(overrides) {
  const rows = Object.entries(overrides).map(
    ([part, type]) => `<Override PartName="${part}" ContentType="application/vnd.openxmlformats-${type}+xml"/>`,
  );
  return (
    `${XML_HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
    `<Default Extension="xml" ContentType="application/xml"/>${rows.join('')}</Types>`
  );
}

export function relationships(targets) {
  const rows = targets.map(([type, target, mode], i) => {
    const uri = type.startsWith('metadata/') ? `${PACKAGE}/relationships/${type}` : `${RELATIONSHIPS}/${type}`;
    return `<Relationship Id="rId${i + 1}" Type="${uri}" Target="${escapeXml(target)}"${mode ? ` TargetMode="${mode}"` : ''}/>`;
  });
  return `${XML_HEAD}<Relationships xmlns="${PACKAGE}/relationships">${rows.join('')}</Relationships>`;
}

export function coreProperties({ title, author, subject = '', keywords = '', description = '' }) {
  const value = (name, text) => (text === '' ? '' : `<${name}>${escapeXml(text)}</${name}>`);
  const time = (name) => `<dcterms:${name} xsi:type="dcterms:W3CDTF">${ISO_TIME}</dcterms:${name}>`;
  return (
    `${XML_HEAD}<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" ` +
    `xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">` +
    value('dc:title', title) +
    value('dc:subject', subject) +
    value('dc:creator', author) +
    value('cp:keywords', keywords) +
    value('dc:description', description) +
    `<cp:lastModifiedBy>${escapeXml(author)}</cp:lastModifiedBy><cp:revision>2</cp:revision>${time('created')}${time('modified')}</cp:coreProperties>`
  );
}

export function appProperties(application, inner = '') {
  return (
    `${XML_HEAD}<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties">` +
    `<Application>${application}</Application>${inner}</Properties>`
  );
}

export function rootRelationships(main) {
  return relationships([
    ['officeDocument', main],
    ['metadata/core-properties', 'docProps/core.xml'],
    ['extended-properties', 'docProps/app.xml'],
  ]);
}

export const PROPERTY_TYPES = {
  '/docProps/core.xml': 'package.core-properties',
  '/docProps/app.xml': 'officedocument.extended-properties',
};
