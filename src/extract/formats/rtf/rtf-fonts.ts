/** Encodings of RTF text, by iconv-lite's names. */

/** `\fcharsetN` of a font. 0 is ANSI; 1 (default) and 2 (symbol) say nothing. */
const byFontCharset: Readonly<Record<number, string>> = {
  0: 'windows-1252',
  77: 'macroman',
  78: 'shift_jis',
  79: 'cp949',
  80: 'gb2312',
  81: 'big5',
  83: 'windows-1255',
  84: 'windows-1256',
  85: 'macgreek',
  86: 'macturkish',
  87: 'macthai',
  88: 'maccenteuro',
  89: 'maccyrillic',
  128: 'shift_jis',
  129: 'cp949',
  130: 'cp949',
  134: 'gbk',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  163: 'windows-1258',
  177: 'windows-1255',
  178: 'windows-1256',
  186: 'windows-1257',
  204: 'windows-1251',
  222: 'windows-874',
  238: 'windows-1250',
  254: 'cp437',
  255: 'cp850',
};

/** Code pages that are not called `cpN`. */
const byCodePage: Readonly<Record<number, string>> = {
  708: 'iso-8859-6',
  932: 'shift_jis',
  936: 'gbk',
  950: 'big5',
  1361: 'cp949',
  10000: 'macroman',
  10001: 'shift_jis',
  10006: 'macgreek',
  10007: 'maccyrillic',
  10029: 'maccenteuro',
  10081: 'macturkish',
  65001: 'utf-8',
};

function encodingOfFontCharset(charset: number): string | undefined {
  return byFontCharset[charset];
}

export function encodingOfCodePage(codePage: number): string | undefined {
  return byCodePage[codePage] ?? (codePage > 0 ? `cp${codePage}` : undefined);
}

/** Learns the font table and answers which encoding a font's text has. */
export class FontTable {
  readonly #encodings = new Map<number, string>();
  #defining: number | undefined;

  /** A control word inside the font table. */
  define(word: string, parameter: number): void {
    if (word === 'f') this.#defining = parameter;
    if (this.#defining === undefined) return;
    const encoding =
      word === 'fcharset'
        ? encodingOfFontCharset(parameter)
        : word === 'cpg'
          ? encodingOfCodePage(parameter)
          : undefined;
    if (encoding !== undefined) this.#encodings.set(this.#defining, encoding);
  }

  encodingOf(font: number | undefined): string | undefined {
    return font === undefined ? undefined : this.#encodings.get(font);
  }
}
