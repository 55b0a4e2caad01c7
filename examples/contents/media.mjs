import { blend, Canvas } from '../makers/canvas.mjs';
import { makeExif, makeJpeg } from '../makers/jpeg.mjs';
import { makePng } from '../makers/png.mjs';
import { TRUST } from '../makers/prose.mjs';
import { makeMp3 } from '../makers/recording.mjs';

export function media() {
  return {
    'pictures/lighthouse-at-dusk.jpg': makeJpeg(lighthouse(), photographExif()),
    'pictures/harbour-chart.png': makePng(chart(), {
      Title: 'Chart of Portholm harbour',
      Author: TRUST,
      Description: 'Lighthouse in the north, breakwater, ferry berth and fairway',
      Copyright: `2025 ${TRUST}`,
    }),
    'pictures/house-flag.svg': Buffer.from(HOUSE_FLAG),
    'music/foghorn-lullaby.mp3': makeMp3({
      frames: 115,
      tags: {
        TIT2: 'Foghorn Lullaby',
        TPE1: 'Portholm Brass Band',
        TALB: 'Songs from the Quay',
        TYER: '2025',
        TRCK: '3/9',
        TCON: 'Folk',
      },
      comment: 'Recorded in the old customs house on a foggy evening',
      lyrics: 'Sleep, little boat, the lighthouse is awake.\nTwo blasts a minute for the harbour’s sake.',
    }),
  };
}

function lighthouse() {
  const canvas = new Canvas(320, 240);
  const horizon = 165;
  const [night, glow, sea] = [
    [24, 32, 72],
    [250, 170, 110],
    [20, 44, 80],
  ];
  canvas.paint((x, y) =>
    y < horizon ? blend(night, glow, (y / horizon) ** 2) : blend([150, 110, 110], sea, Math.min(1, (y - horizon) / 40)),
  );
  canvas.circle(70, 150, 16, [255, 226, 160]);
  canvas.rectangle(0, horizon, 320, 1, [120, 90, 100]);
  canvas.polygon(
    [
      [232, 62],
      [0, 20],
      [0, 56],
    ],
    [255, 240, 190],
  );
  canvas.polygon(
    [
      [180, 240],
      [205, 176],
      [262, 170],
      [320, 196],
      [320, 240],
    ],
    [34, 34, 40],
  );
  canvas.polygon(
    [
      [214, 178],
      [222, 72],
      [246, 72],
      [254, 178],
    ],
    [238, 236, 228],
  );
  for (const top of [92, 124, 156])
    canvas.polygon(
      [
        [220 - (top - 92) / 12, top],
        [248 + (top - 92) / 12, top],
        [249 + (top - 92) / 12, top + 14],
        [219 - (top - 92) / 12, top + 14],
      ],
      [196, 30, 40],
    );
  canvas.rectangle(218, 68, 32, 5, [40, 40, 46]);
  canvas.rectangle(225, 54, 18, 14, [255, 244, 200]);
  canvas.polygon(
    [
      [222, 54],
      [234, 40],
      [246, 54],
    ],
    [196, 30, 40],
  );
  return canvas;
}

function photographExif() {
  return makeExif(
    {
      0x010e: 'The lighthouse on Gannet Point at dusk',
      0x010f: 'Northwater Optical',
      0x0110: 'Quayside 35',
      0x0112: [1],
      0x011a: { rationals: [[72, 1]] },
      0x011b: { rationals: [[72, 1]] },
      0x0128: [2],
      0x0131: 'make-documents',
      0x0132: '2025:11:03 17:05:00',
      0x013b: TRUST,
      0x0213: [1],
      0x8298: `2025 ${TRUST}`,
    },
    {
      0x829a: { rationals: [[1, 30]] },
      0x829d: { rationals: [[28, 10]] },
      0x8827: [800],
      0x9000: Buffer.from('0232'),
      0x9003: '2025:11:03 17:04:30',
      0x9101: Buffer.from([1, 2, 3, 0]),
      0x9209: [0],
      0x920a: { rationals: [[35, 1]] },
      0xa000: Buffer.from('0100'),
      0xa001: [1],
      0xa002: [320],
      0xa003: [240],
    },
    {
      0x0000: { bytes: [2, 3, 0, 0] },
      0x0001: 'N',
      0x0002: {
        rationals: [
          [57, 1],
          [42, 1],
          [1860, 100],
        ],
      },
      0x0003: 'W',
      0x0004: {
        rationals: [
          [6, 1],
          [17, 1],
          [2412, 100],
        ],
      },
      0x0005: { bytes: [0] },
      0x0006: { rationals: [[41, 1]] },
    },
  );
}

function chart() {
  const canvas = new Canvas(240, 180);
  const [land, water, deep, stone] = [
    [222, 205, 160],
    [190, 222, 238],
    [150, 196, 222],
    [90, 90, 90],
  ];
  canvas.paint((_, y) => blend(water, deep, y / 180));
  canvas.polygon(
    [
      [0, 0],
      [240, 0],
      [240, 30],
      [196, 40],
      [150, 34],
      [120, 60],
      [70, 66],
      [52, 110],
      [0, 126],
    ],
    land,
  );
  canvas.polygon(
    [
      [118, 62],
      [190, 104],
      [186, 110],
      [114, 70],
    ],
    stone,
  );
  canvas.rectangle(74, 70, 40, 6, stone);
  canvas.circle(200, 36, 5, [200, 20, 40]);
  canvas.paint((x, y) => (Math.abs(y - (150 - x / 3)) < 1 && x > 90 && x % 8 < 4 ? [140, 30, 120] : undefined));
  return canvas;
}

const HOUSE_FLAG = `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 200" width="300" height="200">
  <title>House flag of the Portholm Harbour Trust</title>
  <desc>A white lighthouse on a blue field, with two yellow beams of light</desc>
  <rect width="300" height="200" fill="#1f3a5f"/>
  <path d="M150 70 L0 30 L0 80 Z M150 70 L300 30 L300 80 Z" fill="#f2b705"/>
  <path d="M130 180 L140 70 L160 70 L170 180 Z" fill="#ffffff"/>
  <circle cx="150" cy="62" r="12" fill="#c8102e"/>
  <text x="150" y="195" text-anchor="middle" font-size="12" fill="#ffffff">Vigilat lumen</text>
</svg>
`;
