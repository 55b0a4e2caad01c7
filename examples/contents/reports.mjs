import { makeOds } from '../makers/open-document.mjs';
import { makePdf, wrap } from '../makers/pdf.mjs';
import { ACCOUNTS, INVOICE, SLIDES, TRAFFIC, TRUST } from '../makers/prose.mjs';
import { makePptx } from '../makers/slide-show.mjs';
import { makeXlsx } from '../makers/spreadsheet.mjs';

const TRAFFIC_HEAD = ['Month', 'Ships', 'Ferry passengers', 'Hours of fog'];

export function reports() {
  return {
    'reports/2025/invoice-2025-117.pdf': invoicePdf(),
    'reports/2025/annual-meeting.pptx': makePptx({
      properties: {
        title: 'Annual meeting 2025',
        author: TRUST,
        subject: 'The year of the new lens',
        keywords: 'lighthouse, traffic',
      },
      slides: SLIDES,
    }),
    'reports/2025/harbour-accounts.xlsx': harbourAccounts(),
    'reports/2025/ship-arrivals.ods': makeOds({
      properties: {
        title: 'Ship arrivals 2025',
        author: TRUST,
        subject: 'Traffic',
        keywords: ['ships', 'ferry', 'fog'],
      },
      name: 'Arrivals',
      rows: [TRAFFIC_HEAD, ...TRAFFIC],
    }),
    'reports/2025/ship-arrivals.csv': Buffer.from(
      [TRAFFIC_HEAD, ...TRAFFIC].map((row) => `${row.join(';')}\r\n`).join(''),
    ),
    'reports/2024/storm-damage.txt': Buffer.from(STORM_DAMAGE),
  };
}

export function invoicePdf() {
  const row = ([what, count, price]) => [
    { text: what },
    { text: count, x: 400, sameLine: true },
    { text: price, x: 450, sameLine: true },
  ];
  const lines = [
    { text: INVOICE.title, size: 20, bold: true },
    { text: INVOICE.from },
    { text: `To: ${INVOICE.to}` },
    { text: `Date: ${INVOICE.date}` },
    { text: '' },
    ...[['Description', 'Pieces', 'Crowns'], ...INVOICE.lines].flatMap(row),
    { text: '' },
    { text: `Total: ${INVOICE.total} crowns`, bold: true },
    { text: '' },
    ...wrap(INVOICE.note).map((text) => ({ text, size: 10 })),
  ];
  return makePdf({
    title: INVOICE.title,
    author: 'Northwater Lamp Works',
    subject: 'Restoration of the lens',
    keywords: 'invoice, lens',
    pages: [lines],
  });
}

function harbourAccounts() {
  const block = (title, entries, start) => [
    [title],
    ...entries,
    [
      'Total',
      {
        formula: `SUM(B${start}:B${start + entries.length - 1})`,
        value: entries.reduce((sum, [, amount]) => sum + amount, 0),
      },
    ],
    [],
  ];
  const { income, expenses } = ACCOUNTS;
  return makeXlsx({
    properties: {
      title: 'Harbour accounts 2025',
      author: TRUST,
      subject: 'Income and expenses',
      keywords: 'accounts, dredging',
    },
    sheets: [
      { name: 'Accounts', rows: [...block('Income', income, 2), ...block('Expenses', expenses, income.length + 5)] },
      { name: 'Traffic', rows: [TRAFFIC_HEAD, ...TRAFFIC] },
    ],
  });
}

const STORM_DAMAGE = `Storm of 12 February 2024 - damage in the harbour

Breakwater      two granite blocks moved by the length of a boat
North quay      railing bent, one mooring ring lost
Lighthouse      no damage; the keeper reports spray on the lantern panes
Old boat house  slipway under sand
Foghorn         worked for thirty-one hours without a pause

Repairs were finished before Easter. The insurance paid for the railing.
`;
