import type { OoxmlPackage } from '../../containers/ooxml/package.js';
import { builtinFormat } from '../../containers/spreadsheet/number-format.js';

/** The number format code of each cell style, by the index that cells use. */
export function readCellFormats(pack: OoxmlPackage, workbook: string): string[] {
  const custom = new Map<number, string>();
  const ids: number[] = [];
  let inCellStyles = false;
  // Differential styles at the end of the part have formats of their own, under numbers that mean nothing to cells.
  let inFormats = false;
  for (const part of pack.related(workbook, 'styles')) {
    pack.walk(part, {
      open: (name, attributes) => {
        const id = Number(attributes.get('numFmtId') ?? 0);
        if (name === 'numFmts') inFormats = true;
        else if (name === 'numFmt' && inFormats) custom.set(id, attributes.get('formatCode') ?? '');
        else if (name === 'cellXfs') inCellStyles = true;
        else if (name === 'xf' && inCellStyles) ids.push(id);
      },
      close: (name) => {
        if (name === 'cellXfs') inCellStyles = false;
        else if (name === 'numFmts') inFormats = false;
      },
    });
  }
  return ids.map((id) => custom.get(id) ?? builtinFormat(id));
}
