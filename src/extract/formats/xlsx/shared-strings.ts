import type { OoxmlPackage } from '../../containers/ooxml/package.js';
import { RichString } from './rich-string.js';

/** The strings that cells refer to by number. */
export function readSharedStrings(pack: OoxmlPackage, workbook: string): string[] {
  const strings: string[] = [];
  const current = new RichString();
  for (const part of pack.related(workbook, 'sharedStrings')) {
    pack.walk(part, {
      open: (name) => current.open(name),
      text: (text) => current.text(text),
      close: (name) => {
        current.close(name);
        if (name === 'si') strings.push(current.take());
      },
    });
  }
  return strings;
}
