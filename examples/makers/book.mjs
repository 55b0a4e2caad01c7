import { escapeXml, ISO_TIME, zipOf } from './package.mjs';

/** EPUB 3: XHTML chapters, a package file with the properties and the order, a table of contents. */
const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';

export function makeXhtml(title, body) {
  return (
    `${XML}<!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" xml:lang="en" lang="en">\n` +
    `<head><title>${escapeXml(title)}</title></head>\n<body>\n${body}\n</body>\n</html>\n`
  );
}

export function makeEpub({ title, author, subject, chapters }) {
  const files = chapters.map((chapter, i) => ({ id: `chapter${i + 1}`, name: `chapter${i + 1}.xhtml`, chapter }));
  const manifest = files
    .map(({ id, name }) => `<item id="${id}" href="${name}" media-type="application/xhtml+xml"/>`)
    .join('');
  const spine = files.map(({ id }) => `<itemref idref="${id}"/>`).join('');
  const contents = files
    .map(({ name, chapter }) => `<li><a href="${name}">${escapeXml(chapter.title)}</a></li>`)
    .join('');
  const properties =
    `<dc:identifier id="id">urn:portholm:keepers-handbook</dc:identifier><dc:title>${escapeXml(title)}</dc:title><dc:creator>${escapeXml(author)}</dc:creator>` +
    `<dc:subject>${escapeXml(subject)}</dc:subject><dc:language>en</dc:language><dc:publisher>${escapeXml(author)}</dc:publisher>` +
    `<dc:date>${ISO_TIME}</dc:date><meta property="dcterms:modified">${ISO_TIME}</meta>`;
  return zipOf(
    {
      mimetype: 'application/epub+zip',
      'META-INF/container.xml': `${XML}<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="book/package.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
      'book/package.opf':
        `${XML}<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">${properties}</metadata>` +
        `<manifest><item id="contents" href="contents.xhtml" media-type="application/xhtml+xml" properties="nav"/>${manifest}</manifest><spine>${spine}</spine></package>`,
      'book/contents.xhtml': makeXhtml('Contents', `<nav epub:type="toc"><h1>Contents</h1><ol>${contents}</ol></nav>`),
      ...Object.fromEntries(
        files.map(({ name, chapter }) => [`book/${name}`, makeXhtml(chapter.title, chapterBody(chapter))]),
      ),
    },
    ['mimetype'],
  );
}

function chapterBody(chapter) {
  const paragraphs = chapter.paragraphs.map((text) => `<p>${escapeXml(text)}</p>`);
  return [`<h1>${escapeXml(chapter.title)}</h1>`, ...paragraphs].join('\n');
}
