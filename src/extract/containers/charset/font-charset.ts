/** The code page behind the charset number of a Windows font; Western when the number says nothing (default, symbol). */
export function codePageOf(charset: number | undefined): string {
  return CODE_PAGES.get(charset ?? 0) ?? 'cp1252';
}

const CODE_PAGES: ReadonlyMap<number, string> = new Map([
  [77, 'macroman'],
  [128, 'cp932'],
  [129, 'cp949'],
  [134, 'cp936'],
  [136, 'cp950'],
  [161, 'cp1253'],
  [162, 'cp1254'],
  [163, 'cp1258'],
  [177, 'cp1255'],
  [178, 'cp1256'],
  [186, 'cp1257'],
  [204, 'cp1251'],
  [222, 'cp874'],
  [238, 'cp1250'],
  [255, 'cp437'],
]);
