import type { OoxmlPackage } from '../../containers/ooxml/package.js';

export interface Sheet {
  readonly name: string;
  readonly part: string;
  readonly visibility: 'visible' | 'hidden' | 'veryHidden';
}

export interface Workbook {
  /** In the order of the tabs, with chart sheets. */
  readonly sheets: readonly Sheet[];
  readonly date1904: boolean;
  /** What macros call the workbook. */
  readonly codeName: string | undefined;
}

export function readWorkbook(pack: OoxmlPackage, part: string): Workbook {
  const targets = new Map(pack.relationships(part).map((each) => [each.id, each.target]));
  const sheets: Sheet[] = [];
  let date1904 = false;
  let hasProperties = false;
  let codeName: string | undefined;
  pack.walk(part, {
    open: (name, attributes) => {
      // Excel repeats the element with other attributes among its extensions.
      if (name === 'workbookPr' && !hasProperties) {
        hasProperties = true;
        date1904 = isTrue(attributes.get('date1904'));
        codeName = attributes.get('codeName');
      }
      if (name !== 'sheet') return;
      const target = targets.get(attributes.prefixed('id') ?? '');
      const visibility = visibilityOf(attributes.get('state'));
      if (target !== undefined) sheets.push({ name: attributes.get('name') ?? '', part: target, visibility });
    },
  });
  return { sheets: sheets.length > 0 ? sheets : unnamedSheets(pack), date1904, codeName };
}

/** A damaged workbook part leaves the sheets without order and names. */
function unnamedSheets(pack: OoxmlPackage): Sheet[] {
  const parts = pack.names.filter((name) => /^\/xl\/worksheets\/[^/]+\.xml$/i.test(name));
  return parts.map((part) => ({ name: '', part, visibility: 'visible' }));
}

/** A very hidden sheet can be shown by macros only. */
function visibilityOf(state: string | undefined): Sheet['visibility'] {
  return state === 'hidden' || state === 'veryHidden' ? state : 'visible';
}

function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}
