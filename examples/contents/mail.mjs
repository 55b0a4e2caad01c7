import { makeMail, makeMailbox } from '../makers/mail.mjs';
import { invoicePdf } from './reports.mjs';

const HARBOUR = 'Portholm Harbour Office <harbour@portholm.example>';
const WORKS = 'Northwater Lamp Works <office@lamps.northwater.example>';
const COUNCIL = 'Portholm Town Council <council@portholm.example>';

export function mail() {
  return {
    'mail/the-new-lens-is-ready.eml': Buffer.from(lensIsReady()),
    'mail/letters-to-the-harbour.mbox': Buffer.from(lettersToTheHarbour()),
  };
}

function lensIsReady() {
  const paragraphs = [
    'Dear harbour office,',
    'the lens of the lighthouse is ready. All one hundred and twenty-eight prisms are back in their frame, and the flash is as white as on the first night.',
    'The tender brings it on the first calm day. You find invoice 2025-117 attached.',
    'With kind regards from the workshop',
  ];
  return makeMail({
    from: WORKS,
    to: HARBOUR,
    cc: COUNCIL,
    subject: 'The new lens is ready – invoice 2025-117',
    date: 'Mon, 3 Nov 2025 09:12:00 +0100',
    id: 'lens-2025-117',
    text: `${paragraphs.join('\n\n')}\n`,
    html: `<html><body>${paragraphs.map((text) => `<p>${text}</p>`).join('')}</body></html>\n`,
    attachments: [{ name: 'invoice-2025-117.pdf', type: 'application/pdf', bytes: invoicePdf() }],
  });
}

function lettersToTheHarbour() {
  return makeMailbox([
    {
      envelope: 'council@portholm.example Tue Nov  4 08:00:00 2025',
      from: COUNCIL,
      to: HARBOUR,
      subject: 'Lighting ceremony',
      date: 'Tue, 4 Nov 2025 08:00:00 +0100',
      text: 'The council would like to be there when the lighthouse is lit with its restored lens. The brass band has practised.',
    },
    {
      envelope: 'rowing@portholm.example Wed Nov  5 19:30:00 2025',
      from: 'Portholm Rowing Club <rowing@portholm.example>',
      to: HARBOUR,
      subject: 'Basket of mussels',
      date: 'Wed, 5 Nov 2025 19:30:00 +0100',
      text: 'The rent for the boat house stands in front of your door.\n\nFrom next week on the club trains on Thursday evenings.',
    },
    {
      envelope: 'ferry@skerry-islands.example Thu Nov  6 06:45:00 2025',
      from: 'Skerry Islands Ferry Company <ferry@skerry-islands.example>',
      to: HARBOUR,
      subject: 'Verspätung der Fähre wegen Nebels',
      date: 'Thu, 6 Nov 2025 06:45:00 +0100',
      text: 'Die Fähre Kittiwake wartet wegen Nebels hinter dem Wellenbrecher. Das Nebelhorn ist gut zu hören.',
    },
  ]);
}
