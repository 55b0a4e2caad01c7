import type { XmlAttributes, XmlVisitor } from '../../containers/xml/xml.js';

/**
 * Text of OpenDocument content and styles (and of the older StarOffice XML, which differs in namespaces only).
 *
 * Characters count inside paragraphs (`p`, `h`) and in the titles and descriptions of shapes. Things that are anchored in a
 * paragraph start afresh: an annotation's author is not text, its paragraphs are. Page numbers and counts stand for
 * nothing until a page is laid out. Whatever is a template or a style of something is left out with all that is in it.
 * Deleted text that changes are tracked for is kept, as Tika keeps it.
 */
export interface OdfTextOutput {
  write(text: string): void;
  readonly full: boolean;
  /** A picture or object inside of a flat file. */
  binary?(base64: string): void;
}

type Mode = 'text' | 'structure' | 'nothing';

const textElements: ReadonlySet<string> = new Set(['p', 'h', 'title', 'desc', 'note-citation']);
const structureElements: ReadonlySet<string> = new Set([
  'annotation',
  'frame',
  'text-box',
  'object',
  'math',
  'page-number',
  'page-count',
  'event-listeners',
  'tracked-changes',
]);
const skippedElements: ReadonlySet<string> = new Set([
  'covered-table-cell',
  'scripts',
  'script',
  'meta',
  'settings',
  'font-face-decls',
]);

export class OdfText implements XmlVisitor {
  readonly #output: OdfTextOutput;
  readonly #modes: Mode[] = [];
  #mode: Mode = 'structure';
  #depthOfParagraphs = 0;
  #line = '';
  #endsInSpace = true;
  #paragraphsInCell: number[] = [];
  #inSpreadsheet = false;
  #binary: string | undefined;

  constructor(output: OdfTextOutput) {
    this.#output = output;
  }

  get done(): boolean {
    return this.#output.full;
  }

  open(name: string, attributes: XmlAttributes): void {
    this.#modes.push(this.#mode);
    this.#mode = this.#modeOf(name);
    if (this.#mode !== 'nothing') OdfText.#openers[name]?.(this, attributes);
  }

  text(text: string): void {
    if (this.#binary !== undefined) this.#binary += text;
    else if (this.#mode === 'text') this.#add(text);
  }

  close(name: string): void {
    if (this.#mode !== 'nothing') OdfText.#closers[name]?.(this);
    this.#mode = this.#modes.pop() ?? 'structure';
  }

  static readonly #openers: Readonly<Record<string, (self: OdfText, attributes: XmlAttributes) => void>> = {
    p: (self) => self.#openParagraph(),
    h: (self) => self.#openParagraph(),
    s: (self, attributes) => self.#spaces(attributes),
    tab: (self) => self.#add('\t'),
    'tab-stop': (self) => self.#add('\t'),
    'line-break': (self) => self.#add('\n'),
    'list-item': (self) => self.#add('\t'),
    'note-citation': (self) => self.#separate(),
    'note-body': (self) => self.#separate(),
    annotation: (self) => self.#separate(),
    title: (self) => self.#separate(),
    desc: (self) => self.#separate(),
    spreadsheet: (self) => (self.#inSpreadsheet = true),
    table: (self, attributes) => self.#openTable(attributes),
    'table-cell': (self) => self.#openCell(),
    'binary-data': (self) => (self.#binary = ''),
  };

  static readonly #closers: Readonly<Record<string, (self: OdfText) => void>> = {
    p: (self) => self.#closeParagraph(),
    h: (self) => self.#closeParagraph(),
    'note-body': (self) => self.#separate(),
    annotation: (self) => self.#separate(),
    title: (self) => self.#closeAside(),
    desc: (self) => self.#closeAside(),
    'table-cell': (self) => self.#closeCell(),
    'table-row': (self) => self.#add('\n'),
    table: (self) => self.#flush('\n'),
    'binary-data': (self) => self.#closeBinary(),
  };

  #modeOf(name: string): Mode {
    if (this.#mode === 'nothing' || skippedElements.has(name) || isDefinition(name)) return 'nothing';
    if (textElements.has(name)) return 'text';
    return structureElements.has(name) ? 'structure' : this.#mode;
  }

  #openParagraph(): void {
    if (this.#depthOfParagraphs > 0) this.#separate();
    else this.#separateFromCell();
    this.#depthOfParagraphs++;
  }

  #closeParagraph(): void {
    this.#depthOfParagraphs--;
    if (this.#depthOfParagraphs > 0) this.#separate();
    else if (this.#paragraphsInCell.length === 0) this.#flush('\n');
  }

  /** Paragraphs of one cell stand below each other. */
  #separateFromCell(): void {
    const last = this.#paragraphsInCell.length - 1;
    if (last < 0) return;
    if ((this.#paragraphsInCell[last] ?? 0) > 0) this.#add('\n');
    this.#paragraphsInCell[last] = (this.#paragraphsInCell[last] ?? 0) + 1;
  }

  /** The tables of a spreadsheet are its sheets; other tables have names that nobody sees. */
  #openTable(attributes: XmlAttributes): void {
    const name = attributes.get('name');
    if (this.#inSpreadsheet && name !== undefined) this.#output.write(`${name}\n`);
  }

  #openCell(): void {
    this.#add('\t');
    this.#paragraphsInCell.push(0);
  }

  #closeCell(): void {
    this.#paragraphsInCell.pop();
    if (this.#paragraphsInCell.length === 0) this.#flush('');
  }

  /** The title of a shape that is not anchored in a paragraph is a line of its own. */
  #closeAside(): void {
    if (this.#depthOfParagraphs === 0 && this.#paragraphsInCell.length === 0) this.#flush('\n');
    else this.#separate();
  }

  #spaces(attributes: XmlAttributes): void {
    const count = Number.parseInt(attributes.get('c') ?? '1', 10);
    this.#add(' '.repeat(Math.min(Math.max(1, count || 1), 64)));
  }

  #separate(): void {
    if (!this.#endsInSpace) this.#add(' ');
  }

  #add(text: string): void {
    if (text === '') return;
    this.#line += text;
    this.#endsInSpace = text.at(-1)?.trim() === '';
  }

  #flush(end: string): void {
    this.#output.write(this.#line + end);
    this.#line = '';
    this.#endsInSpace = true;
  }

  #closeBinary(): void {
    const data = this.#binary ?? '';
    this.#binary = undefined;
    if (this.#line !== '') this.#flush('');
    this.#output.binary?.(data);
  }
}

/** Names of templates for indexes and of list and number styles; their text is a pattern, not content. */
function isDefinition(name: string): boolean {
  return name.endsWith('-template') || name.endsWith('-style');
}
