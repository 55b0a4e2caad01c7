import { expect, test } from '@jest/globals';
import * as vsdxExtractor from '../../../../../src/extract/formats/vsdx/vsdx-extractor.js';
import { runFormat } from '../../../../support/format-harness.js';
import { officePackage } from '../../../../support/ooxml-builder.js';
import { expectNoSurprises } from '../../mutations.js';

const TYPE = 'application/vnd.ms-visio.drawing';
const VISIO = 'http://schemas.microsoft.com/visio/2010/relationships';

function page(...texts: string[]): string {
  return `<PageContents><Shapes>${texts.map((text) => `<Shape ID="1"><Cell N="PinX" V="4"/><Text>${text}</Text></Shape>`).join('')}</Shapes></PageContents>`;
}

const drawing = officePackage({
  types: { '/visio/document.xml': 'application/vnd.ms-visio.drawing.main+xml' },
  links: {
    '/': [
      ['rId1', `${VISIO}/document`, 'visio/document.xml'],
      ['rId2', 'core-properties', 'docProps/core.xml'],
    ],
    '/visio/document.xml': [['p', `${VISIO}/pages`, 'pages/pages.xml']],
    '/visio/pages/pages.xml': [
      ['1', `${VISIO}/page`, 'page1.xml'],
      ['2', `${VISIO}/page`, 'page2.xml'],
    ],
    '/visio/pages/page2.xml': [['i', 'image', '../media/image1.png']],
  },
  files: {
    'visio/document.xml': '<VisioDocument/>',
    'visio/pages/pages.xml': '<Pages/>',
    'visio/pages/page1.xml': page('<cp IX="0"/>Start <fld IX="0">here</fld>\n', ' '),
    'visio/pages/page2.xml': page('End'),
    'visio/media/image1.png': 'PNG',
    'docProps/core.xml': '<coreProperties><dc:title>Flow</dc:title></coreProperties>',
  },
});

test('texts of shapes come page by page, then pictures; properties are metadata', async () => {
  const result = await runFormat(vsdxExtractor, { name: 'flow.vsdx', mediaType: TYPE, bytes: drawing });
  expect(result.text).toBe('Start here\nEnd\n');
  expect(result.parts.map((part) => part.name)).toEqual(['image1.png']);
  expect(result.metadata['dc:title']).toEqual(['Flow']);
});

test('a drawing without pages has no text', async () => {
  const bytes = officePackage({
    types: { '/visio/document.xml': 'application/vnd.ms-visio.drawing.main+xml' },
    links: {},
    files: { 'visio/document.xml': '<VisioDocument/>' },
  });
  expect((await runFormat(vsdxExtractor, { name: 'x.vsdx', mediaType: TYPE, bytes })).text).toBe('');
});

test('damaged documents end in text or in an error of ours', async () => {
  await expectNoSurprises(vsdxExtractor, TYPE, Buffer.from(drawing));
});
