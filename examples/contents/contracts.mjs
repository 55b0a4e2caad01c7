import { makeOdt } from '../makers/open-document.mjs';
import { makeRtf } from '../makers/rich-text.mjs';
import { AGREEMENT, LEASE, SUPPLY, TRUST } from '../makers/prose.mjs';
import { makeDocx } from '../makers/word.mjs';

export function contracts() {
  return {
    'contracts/ferry-berth-agreement.docx': ferryBerthAgreement(),
    'contracts/lamp-oil-supply.odt': makeOdt({
      properties: {
        title: SUPPLY.title,
        author: TRUST,
        subject: 'Supply of the lighthouse',
        keywords: ['lamp oil', 'lighthouse'],
      },
      paragraphs: SUPPLY.paragraphs,
      note: 'Four hundred litres keep the lamp burning for about two thousand hours.',
      link: { text: 'Price list of the Northwater Lamp Works', target: 'https://lamps.northwater.example/prices' },
    }),
    'contracts/boat-house-lease.rtf': makeRtf({
      ...LEASE,
      author: TRUST,
      subject: 'Boat house',
      keywords: 'boat house, mussels',
    }),
  };
}

function ferryBerthAgreement() {
  const clauses = AGREEMENT.clauses.flatMap(([heading, text]) => [{ heading }, { item: text }]);
  return makeDocx({
    properties: {
      title: AGREEMENT.title,
      author: TRUST,
      subject: 'Berth two, north quay',
      keywords: 'ferry, berth, agreement',
      description: 'Fair copy for signature',
    },
    header: `${TRUST} – Contracts`,
    footer: 'Two copies, one for each party',
    blocks: [
      { title: AGREEMENT.title },
      { text: AGREEMENT.parties, commented: true },
      ...clauses,
      { heading: 'Instalments' },
      {
        table: [
          ['Due', 'Crowns'],
          ['1 March', '12,000'],
          ['1 June', '12,000'],
          ['1 September', '12,000'],
          ['1 December', '12,000'],
        ],
      },
      { link: 'Timetable of the ferry', target: 'https://ferry.skerry-islands.example/timetable' },
    ],
    comment: 'The rowing club asks for the evening slot on Thursdays.',
    footnote: 'The Operator was founded as a postal service with one sailing boat.',
  });
}
