import { describe, expect, test } from '@jest/globals';
import * as pptxExtractor from '../../../../../src/extract/formats/pptx/pptx-extractor.js';
import { runFormat, type FormatResult } from '../../../../support/format-harness.js';
import { officePackage, type Files, type Link } from '../../../../support/ooxml-builder.js';
import { expectNoSurprises } from '../../mutations.js';

const MAIN = 'application/vnd.openxmlformats-officedocument.presentationml';
const TYPE = `${MAIN}.presentation`;

function root(name: string, content: string, attributes = ''): string {
  const namespaces =
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ' +
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
  return `<p:${name} ${namespaces} ${attributes}>${content}</p:${name}>`;
}

function shape(text: string, placeholder = ''): string {
  return `<p:sp><p:nvSpPr><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;
}

const TITLE = '<p:ph type="title"/>';

function pptx(files: Files, links: Readonly<Record<string, readonly Link[]>>): Uint8Array {
  return officePackage({
    types: { '/ppt/presentation.xml': `${MAIN}.presentation.main+xml` },
    links: { '/': [['rId1', 'officeDocument', 'ppt/presentation.xml']], ...links },
    files: {
      'ppt/presentation.xml': root(
        'presentation',
        '<p:sldIdLst><p:sldId id="256" r:id="rB"/><p:sldId id="257" r:id="rA"/></p:sldIdLst>',
      ),
      'ppt/slides/slideA.xml': root('sld', shape('Slide A', TITLE)),
      'ppt/slides/slideB.xml': root('sld', shape('Slide B', TITLE)),
      ...files,
    },
  });
}

const slides: readonly Link[] = [
  ['rA', 'slide', 'slides/slideA.xml'],
  ['rB', 'slide', 'slides/slideB.xml'],
];

function extract(bytes: Uint8Array): Promise<FormatResult> {
  return runFormat(pptxExtractor, { name: 'talk.pptx', mediaType: TYPE, bytes });
}

describe('slides', () => {
  test('come in the order of the presentation', async () => {
    expect((await extract(pptx({}, { '/ppt/presentation.xml': slides }))).text).toBe('Slide B\n\nSlide A\n\n');
  });

  test('hold titles, tables, fields and breaks', async () => {
    const table =
      '<a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>one</a:t></a:r></a:p></a:txBody></a:tc>' +
      '<a:tc><a:txBody><a:p><a:r><a:t>two</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl>';
    const paragraph =
      '<a:p><a:r><a:t>page </a:t></a:r><a:fld type="slidenum"><a:t>7</a:t></a:fld><a:br/><a:r><a:t>end</a:t></a:r></a:p>';
    const bytes = pptx(
      {
        'ppt/slides/slideA.xml': root(
          'sld',
          `${shape('Title', TITLE)}${table}<p:sp><p:txBody>${paragraph}</p:txBody></p:sp>`,
        ),
      },
      { '/ppt/presentation.xml': [['rA', 'slide', 'slides/slideA.xml']] },
    );
    expect((await extract(bytes)).text).toBe('Title\n\tone\ttwo\n\npage 7\nend\n\n');
  });

  test('bring what their layout shows, notes, comments, SmartArt and charts; masters follow', async () => {
    const bytes = pptx(
      {
        'ppt/layout.xml': root('sldLayout', shape('on every slide') + shape('Click to edit', TITLE)),
        'ppt/notes.xml': root('notes', shape('notes', '<p:ph type="body"/>')),
        'ppt/comments.xml': root('cmLst', '<p:cm authorId="0"><p:text>remark</p:text></p:cm>'),
        'ppt/authors.xml': root('cmAuthorLst', '<p:cmAuthor id="0" name="Ann Other" initials="AO"/>'),
        'ppt/data.xml':
          '<dgm:dataModel><dgm:pt><dgm:t><a:p><a:r><a:t>art</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:dataModel>',
        'ppt/chart.xml': '<c:chart><c:v>4.25</c:v></c:chart>',
        'ppt/master.xml': root('sldMaster', shape('logo') + shape('prompt', TITLE)),
        'ppt/handout.xml': root('handoutMaster', shape('handout', '<p:ph type="hdr"/>')),
        'ppt/embeddings/book.xlsx': 'XLSX',
      },
      {
        '/ppt/presentation.xml': [
          ['rA', 'slide', 'slides/slideA.xml'],
          ['m', 'slideMaster', 'master.xml'],
          ['h', 'handoutMaster', 'handout.xml'],
          ['a', 'commentAuthors', 'authors.xml'],
        ],
        '/ppt/slides/slideA.xml': [
          ['l', 'slideLayout', '../layout.xml'],
          ['n', 'notesSlide', '../notes.xml'],
          ['c', 'comments', '../comments.xml'],
          ['d', 'diagramData', '../data.xml'],
          ['x', 'chart', '../chart.xml'],
        ],
        '/ppt/chart.xml': [['p', 'package', 'embeddings/book.xlsx']],
      },
    );
    const result = await extract(bytes);
    expect(result.text).toBe('Slide A\non every slide\nnotes\nAnn Other (AO) remark\nart\n4.25\t\nlogo\nhandout\n');
    expect(result.parts.map((part) => part.name)).toEqual(['book.xlsx']);
    expect(result.metadata['msoffice:comment-person-display-name']).toEqual(['Ann Other']);
  });

  test('modern comments come with their replies behind them', async () => {
    const bytes = pptx(
      {
        'ppt/comments.xml':
          '<p188:cmLst><p188:cm authorId="{1}"><p188:replyLst><p188:reply authorId="{2}"><p188:txBody><a:p><a:r><a:t>reply</a:t></a:r></a:p></p188:txBody>' +
          '</p188:reply></p188:replyLst><p188:txBody><a:p><a:r><a:t>comment</a:t></a:r></a:p></p188:txBody></p188:cm></p188:cmLst>',
        'ppt/authors.xml':
          '<p188:authorLst><p188:author id="{1}" name="Ann"/><p188:author id="{2}" name="Bob" initials="B"/></p188:authorLst>',
      },
      {
        '/ppt/presentation.xml': [
          ['rA', 'slide', 'slides/slideA.xml'],
          ['a', 'http://schemas.microsoft.com/office/2018/10/relationships/authors', 'authors.xml'],
        ],
        '/ppt/slides/slideA.xml': [
          ['c', 'http://schemas.microsoft.com/office/2018/10/relationships/comments', '../comments.xml'],
        ],
      },
    );
    expect((await extract(bytes)).text).toBe('Slide A\nAnn comment\nBob (B) reply\n\n');
  });

  test('hidden and animated ones are read and told of', async () => {
    const bytes = pptx(
      { 'ppt/slides/slideA.xml': root('sld', `${shape('hidden')}<p:timing/>`, 'show="0"') },
      { '/ppt/presentation.xml': slides },
    );
    const result = await extract(bytes);
    expect(result.text).toContain('hidden\n');
    expect(result.metadata).toMatchObject({
      'msoffice:ppt:has-animations': ['true'],
      'msoffice:ppt:has-hidden-slides': ['true'],
      'msoffice:ppt:num-hidden-slides': ['1'],
    });
  });
});

describe('trouble', () => {
  test('a slide that is missing costs that slide', async () => {
    const bytes = pptx({}, { '/ppt/presentation.xml': [...slides, ['rC', 'slide', 'slides/gone.xml']] });
    expect((await extract(bytes)).text).toBe('Slide B\n\nSlide A\n\n');
  });

  test('damaged documents end in text or in an error of ours', async () => {
    await expectNoSurprises(pptxExtractor, TYPE, Buffer.from(pptx({}, { '/ppt/presentation.xml': slides })));
  });
});
