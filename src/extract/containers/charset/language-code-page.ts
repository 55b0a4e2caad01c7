/** The Windows code page that a system of a language (LCID) uses for text that is not Unicode. */
export function codePageOfLanguage(language: number): number {
  const exact = EXACT.get(language);
  return exact ?? PRIMARY.get(language & 0x3ff) ?? 1252;
}

/** Languages written in two scripts, and the two kinds of Chinese characters. */
const EXACT: ReadonlyMap<number, number> = new Map([
  [0x0404, 950],
  [0x0804, 936],
  [0x0c04, 950],
  [0x1004, 936],
  [0x1404, 950],
  [0x0c1a, 1251],
  [0x1c1a, 1251],
  [0x082c, 1251],
  [0x0843, 1251],
]);

/** By primary language, the lower ten bits. */
const PRIMARY: ReadonlyMap<number, number> = new Map([
  [0x01, 1256],
  [0x02, 1251],
  [0x04, 936],
  [0x05, 1250],
  [0x08, 1253],
  [0x0d, 1255],
  [0x0e, 1250],
  [0x11, 932],
  [0x12, 949],
  [0x15, 1250],
  [0x18, 1250],
  [0x19, 1251],
  [0x1a, 1250],
  [0x1b, 1250],
  [0x1c, 1250],
  [0x1e, 874],
  [0x1f, 1254],
  [0x20, 1256],
  [0x22, 1251],
  [0x23, 1251],
  [0x24, 1250],
  [0x25, 1257],
  [0x26, 1257],
  [0x27, 1257],
  [0x29, 1256],
  [0x2a, 1258],
  [0x2c, 1254],
  [0x2f, 1251],
  [0x3f, 1251],
  [0x40, 1251],
  [0x43, 1254],
  [0x44, 1251],
  [0x50, 1251],
]);
