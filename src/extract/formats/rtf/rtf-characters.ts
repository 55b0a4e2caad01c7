/** What words stand for. */
export const characters: Readonly<Record<string, string>> = {
  par: '\n',
  sect: '\n',
  line: '\n',
  page: '\n',
  softline: '\n',
  softpage: '\n',
  column: ' ',
  softcolumn: ' ',
  tab: '\t',
  cell: '\t',
  nestcell: '\t',
  row: '\n',
  nestrow: '\n',
  bullet: '\u2022',
  endash: '\u2013',
  emdash: '\u2014',
  enspace: '\u2002',
  emspace: '\u2003',
  qmspace: '\u2005',
  lquote: '\u2018',
  rquote: '\u2019',
  ldblquote: '\u201c',
  rdblquote: '\u201d',
};

/** What stands for the symbol behind a backslash. */
export const symbols: Readonly<Record<string, string>> = {
  '~': '\u00a0',
  _: '\u2011',
  '-': '\u00ad',
  '\\': '\\',
  '{': '{',
  '}': '}',
  '\n': '\n',
  '\r': '\n',
};
