/**
 * The world of the example documents: Portholm, a small harbour that does not exist, its lighthouse on Gannet Point, its
 * ferry Kittiwake, and the Portholm Harbour Trust that looks after them. In autumn 2025 the lens of the lighthouse has been
 * restored by the Northwater Lamp Works, who sent invoice 2025-117.
 */
export const TRUST = 'Portholm Harbour Trust';

export const HANDBOOK = {
  title: "The Lighthouse Keeper's Handbook",
  subject: 'How the light on Gannet Point is kept',
  keywords: 'lighthouse, keeper, lens, fog signal, log book',
  chapters: [
    {
      title: 'The light',
      paragraphs: [
        'The lighthouse on Gannet Point stands forty-one metres above the sea and shows one white flash every seven seconds. ' +
          'On a clear night the flash can be seen nineteen nautical miles away, far beyond the ferry lane.',
        'The light comes from a small lamp. What makes it great is the lens: a third order Fresnel lens of one hundred and ' +
          'twenty-eight prisms, turned by a clockwork that a weight keeps going. The keeper winds the clockwork every four hours.',
        'Never touch a prism with bare fingers. Brush the dust away with the badger brush, then wipe with a linen cloth and ' +
          'spirit, from the middle to the rim. A scratched prism costs more than a new boat.',
      ],
    },
    {
      title: 'The watch',
      paragraphs: [
        'The keeper lights the lamp half an hour before sunset and puts it out half an hour after sunrise. Between the two ' +
          'somebody is awake in the watch room, always.',
        'Every hour the log book takes down wind, sky, visibility, barometer, and every vessel that passes the point. Write what ' +
          'you see, not what you expect. A page without a mistake has usually been written afterwards.',
        'If the visibility falls below two nautical miles, start the foghorn: two blasts of three seconds in every minute. ' +
          'Telephone the harbour office, so that the ferry Kittiwake waits inside the breakwater.',
      ],
    },
    {
      title: 'Stores and repairs',
      paragraphs: [
        'Stores come with the tender on the first Monday of the month: lamp oil, spirit, linen, paint, bread, and newspapers. ' +
          'Count them on the quay and sign for what you have counted.',
        'Small repairs are done by the keeper. For the lens, the clockwork and the lightning conductor the harbour office ' +
          'calls the Northwater Lamp Works. Their invoices are kept for ten years in the grey cabinet.',
        'Paint the gallery railing every spring, before the gannets return. They do not mind the smell, but they mind being looked at.',
      ],
    },
  ],
};

export const INVOICE = {
  number: '2025-117',
  title: 'Invoice 2025-117',
  from: 'Northwater Lamp Works, Foundry Lane 4, Northwater',
  to: `${TRUST}, Old Customs House, Portholm`,
  date: '3 November 2025',
  lines: [
    ['Restoration of a third order Fresnel lens, 128 prisms', '1', '18,400.00'],
    ['Replacement prisms, ground to measure', '6', '2,310.00'],
    ['Overhaul of the clockwork, with a new steel rope', '1', '1,965.00'],
    ['Transport by tender, calm weather', '2', '380.00'],
  ],
  total: '23,055.00',
  note: 'Payable within thirty days. Please quote invoice 2025-117 with your payment. Thank you for keeping the light.',
};

export const AGREEMENT = {
  title: 'Berth Agreement for the Ferry Kittiwake',
  parties: `This agreement is made between the ${TRUST} (the Harbour) and the Skerry Islands Ferry Company (the Operator).`,
  clauses: [
    [
      'Berth',
      'The Harbour lets to the Operator berth number two on the north quay, sixty-two metres long, with water and shore power.',
    ],
    [
      'Term',
      'The agreement begins on 1 January 2026 and ends on 31 December 2030. It may be renewed once for the same term.',
    ],
    [
      'Rent',
      'The Operator pays 48,000 crowns a year in four instalments. Fog days, on which the foghorn sounds for more than six hours, are not charged.',
    ],
    [
      'Care',
      'The Operator keeps fenders, gangway and waiting room in good order. The Harbour dredges the berth to a depth of five metres.',
    ],
    ['Lighthouse', 'Vessels of the Operator dip their flag when they pass Gannet Point, as they always have.'],
  ],
};

export const SUPPLY = {
  title: 'Agreement on the Supply of Lamp Oil',
  paragraphs: [
    `The Northwater Lamp Works deliver to the ${TRUST} four hundred litres of lamp oil a year, in cans of twenty litres, on the first Monday of every second month.`,
    'Each delivery is tested: the oil must burn for one hour without smoke before it is carried up the two hundred and six steps of the lighthouse.',
    'The price is fixed for three years. Empty cans go back with the tender.',
  ],
};

export const LEASE = {
  title: 'Lease of the Old Boat House',
  paragraphs: [
    `The ${TRUST} lets the old boat house below the lighthouse to the Portholm Rowing Club, for the price of one basket of mussels a year.`,
    'The club may keep six gigs, oars, and a stove. The slipway must stay free, for the lifeboat uses it at low water.',
    'Naïve hopes of a café on the roof are to be given up: the roof carries snow – and nothing else.',
  ],
};

/** Year, ships, ferry passengers, fog hours. */
export const TRAFFIC = [
  ['January', 112, 3410, 61],
  ['February', 104, 3122, 74],
  ['March', 131, 4290, 58],
  ['April', 158, 6015, 40],
  ['May', 190, 8840, 22],
  ['June', 214, 12306, 12],
  ['July', 241, 18752, 9],
  ['August', 238, 19544, 15],
  ['September', 187, 9120, 31],
  ['October', 149, 5233, 66],
];

export const ACCOUNTS = {
  income: [
    ['Berth rents', 148000],
    ['Harbour dues', 96250],
    ['Ferry terminal', 61400],
    ['Visitors of the lighthouse', 12880],
  ],
  expenses: [
    ['Dredging of the north quay', 84300],
    ['Restoration of the lens, invoice 2025-117', 23055],
    ['Wages of the watch', 142000],
    ['Paint, oil and linen', 6120],
  ],
};

export const SLIDES = [
  {
    title: 'Portholm in 2025',
    points: [TRUST, 'Report to the annual meeting', 'The year of the new lens'],
    notes: 'Open the window: the foghorn sounds at seven.',
  },
  {
    title: 'The lighthouse shines again',
    points: ['Third order Fresnel lens restored', 'Six prisms replaced', 'One white flash every seven seconds'],
    notes: 'Show the old prism. Do not let anybody touch it.',
  },
  {
    title: 'Traffic',
    points: ['1,724 ships from January to October', '90,632 ferry passengers', '388 hours of fog'],
    notes: 'The ferry Kittiwake was late on nineteen days only.',
  },
  {
    title: 'What comes next',
    points: ['Dredging of the north quay', 'A new crane for the warehouse', 'Gannet count with the school'],
    notes: 'Thank the rowing club for the mussels.',
  },
];
