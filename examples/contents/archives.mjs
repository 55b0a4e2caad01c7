import { gzipSync } from 'fflate';
import { makeRtf } from '../makers/rich-text.mjs';
import { UNIX_TIME, zipOf } from '../makers/package.mjs';
import { TRUST } from '../makers/prose.mjs';
import { makeDocx } from '../makers/word.mjs';

export function archives() {
  return {
    'archive/old-log-books.zip': zipOf({
      '1911/march.txt':
        'Log book 1911. 14 March: full gale from the north-west, the lantern panes held. Schooner Petrel towed in.',
      '1911/april.txt':
        'Log book 1911. 2 April: first ferry of the year. The new foghorn was tried and frightened the hens.',
      '1936/letter.rtf': makeRtf({
        title: 'Electric light for the lighthouse',
        author: TRUST,
        subject: 'Electrification',
        keywords: 'electricity',
        paragraphs: ['In spring 1936 the oil lamp gives way to electricity. The clockwork stays.'],
      }),
      '1936/estimate.docx': makeDocx({
        properties: { title: 'Estimate for the cable', author: TRUST },
        header: 'Archive of the harbour office',
        footer: 'Copy',
        blocks: [
          { title: 'Estimate for the submarine cable' },
          { text: 'Eight hundred metres of cable with lead sheath, laid at slack water.', commented: true },
        ],
        comment: 'Found in the grey cabinet.',
        footnote: 'The cable was replaced in 1974.',
      }),
    }),
    'archive/charts-2024.tar.gz': Buffer.from(gzipSync(tarOf(CHARTS), { level: 9, mtime: UNIX_TIME * 1000 })),
  };
}

const CHARTS = {
  'charts-2024/README.txt':
    'Soundings of the fairway, taken from the pilot boat in June 2024. Depths in metres at low water.\n',
  'charts-2024/north-quay.csv': 'berth,depth\n1,4.2\n2,5.0\n3,4.8\n',
  'charts-2024/fairway.csv': 'buoy,depth\nP1,6.1\nP2,6.4\nP3,11.9\n',
};

/** POSIX ustar: a header of 512 bytes in front of each file, contents in blocks of 512, two empty blocks at the end. */
function tarOf(files) {
  const blocks = Object.entries(files).map(([name, text]) => {
    const content = Buffer.from(text);
    const header = Buffer.alloc(512);
    const octal = (value, length, at) => header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1');
    header.write(name, 0, 'utf8');
    octal(0o644, 8, 100);
    octal(0, 8, 108);
    octal(0, 8, 116);
    octal(content.length, 12, 124);
    octal(UNIX_TIME, 12, 136);
    header.write('        0', 148, 'latin1');
    header.write('ustar\x0000', 257, 'latin1');
    const checksum = header.reduce((sum, byte) => sum + byte, 0);
    header.write(`${checksum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
    return Buffer.concat([header, content, Buffer.alloc((512 - (content.length % 512)) % 512)]);
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}
