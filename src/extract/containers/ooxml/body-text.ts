import type { XmlAttributes, XmlVisitor } from '../xml/xml.js';

/**
 * Text of anything that consists of paragraphs, runs and tables: documents, headers, notes and comments of Word, slides of
 * PowerPoint, drawings, SmartArt data and charts. The vocabularies differ in namespace only: `p` holds `r` holds `t`, and
 * `tbl` holds `tr` holds `tc` in all of them.
 *
 * - A paragraph inside a paragraph is a text box: the outer one is broken at that place.
 * - `AlternateContent` holds the same thing twice, for new and for old programs; the first alternative with text counts.
 * - Inserted and moved-in text is text; deleted text (`delText`) and the place it was moved from are not.
 * - A ruby's reading follows its base in parentheses.
 * - Notes and comments follow the paragraph that refers to them.
 */
export interface BodyTextOptions {
  write(text: string): void;
  readonly full?: () => boolean;
  /** What stands in front of a paragraph of a list. */
  readonly listNumber?: (listId: string, level: number) => string;
  readonly note?: (kind: NoteKind, id: string) => string | undefined;
}

export type NoteKind = 'footnote' | 'endnote' | 'comment';

type Opener = (self: BodyText, attributes: XmlAttributes) => void;
type Closer = (self: BodyText) => void;

export class BodyText implements XmlVisitor {
  /** Facts about the document that only its body tells. */
  readonly traits = {
    trackedChanges: false,
    hiddenText: false,
    comments: false,
    fieldHyperlinks: false,
    people: new Set<string>(),
  };
  readonly #options: BodyTextOptions;
  /** Text of the paragraphs that are open, outermost first. */
  readonly #paragraphs: string[] = [];
  /** Open `AlternateContent` elements, outermost first. */
  readonly #alternatives: { hasText: boolean; skipping: boolean }[] = [];
  readonly #paragraphsInCell: number[] = [];
  #notes: string[] = [];
  #collecting = false;
  #valueOfChart = false;
  /** Above zero: text is not wanted. */
  #suppressed = 0;
  #inProperties = 0;
  #inChange = 0;
  #inReading = 0;
  #reading = '';
  #listId: string | undefined;
  #level = 0;
  #instruction = '';
  #inInstruction = false;

  constructor(options: BodyTextOptions) {
    this.#options = options;
  }

  get done(): boolean {
    return this.#options.full?.() ?? false;
  }

  open(name: string, attributes: XmlAttributes): void {
    BodyText.#openers.get(name)?.(this, attributes);
  }

  close(name: string): void {
    BodyText.#closers.get(name)?.(this);
  }

  text(text: string): void {
    if (this.#inInstruction) this.#instruction += text;
    if (!this.#collecting || this.#suppressed > 0) return;
    if (this.#inReading > 0) this.#reading += text;
    else this.#append(this.#valueOfChart ? `${text}\t` : text);
    const alternative = this.#alternatives.at(-1);
    if (alternative !== undefined && text.trim() !== '') alternative.hasText = true;
  }

  static readonly #openers = new Map<string, Opener>([
    ['p', (self) => self.#openParagraph()],
    ['t', (self) => self.#collect(true)],
    ['v', (self) => self.#openValue()],
    ['tab', (self) => self.#appendInRun('\t')],
    ['ptab', (self) => self.#appendInRun('\t')],
    ['br', (self) => self.#appendInRun('\n')],
    ['cr', (self) => self.#appendInRun('\n')],
    ['noBreakHyphen', (self) => self.#appendInRun('\u2011')],
    ['softHyphen', (self) => self.#appendInRun('\u00ad')],
    ['tc', (self) => self.#openCell()],
    ['numId', (self, attributes) => self.#setListId(attributes)],
    ['ilvl', (self, attributes) => self.#setLevel(attributes)],
    ['pPr', (self) => self.#inProperties++],
    ['pPrChange', (self) => self.#inChange++],
    ['footnoteReference', (self, attributes) => self.#refer('footnote', attributes)],
    ['endnoteReference', (self, attributes) => self.#refer('endnote', attributes)],
    ['commentReference', (self, attributes) => self.#refer('comment', attributes)],
    ['AlternateContent', (self) => self.#alternatives.push({ hasText: false, skipping: false })],
    ['Choice', (self) => self.#openAlternative()],
    ['Fallback', (self) => self.#openAlternative()],
    ['ins', (self, attributes) => self.#noteChange(attributes)],
    ['del', (self, attributes) => self.#noteChange(attributes)],
    ['moveTo', (self, attributes) => self.#noteChange(attributes)],
    ['moveFrom', (self, attributes) => self.#openMoveFrom(attributes)],
    ['rt', (self) => self.#inReading++],
    ['vanish', (self) => (self.traits.hiddenText = true)],
    ['instrText', (self) => (self.#inInstruction = true)],
    ['fldChar', (self) => self.#endInstruction()],
  ]);

  static readonly #closers = new Map<string, Closer>([
    ['p', (self) => self.#closeParagraph()],
    ['t', (self) => self.#collect(false)],
    ['v', (self) => self.#closeValue()],
    ['pPr', (self) => self.#closeProperties()],
    ['tc', (self) => self.#paragraphsInCell.pop()],
    ['tr', (self) => self.#write('\n')],
    ['tbl', (self) => self.#write('\n')],
    ['pPrChange', (self) => self.#inChange--],
    ['AlternateContent', (self) => self.#closeAlternatives()],
    ['Choice', (self) => self.#closeAlternative()],
    ['Fallback', (self) => self.#closeAlternative()],
    ['moveFrom', (self) => self.#suppressed--],
    ['rt', (self) => self.#inReading--],
    ['ruby', (self) => self.#closeRuby()],
    ['instrText', (self) => (self.#inInstruction = false)],
  ]);

  #write(text: string): void {
    if (this.#suppressed === 0) this.#options.write(text);
  }

  #openParagraph(): void {
    const outer = this.#paragraphs.length - 1;
    const before = this.#paragraphs[outer] ?? '';
    if (before !== '' && this.#suppressed === 0) {
      this.#write(`${before}\n`);
      this.#paragraphs[outer] = '';
    }
    this.#paragraphs.push('');
    this.#listId = undefined;
    this.#level = 0;
  }

  #closeParagraph(): void {
    const text = this.#paragraphs.pop();
    if (text === undefined || this.#suppressed > 0) return;
    const cell = this.#paragraphsInCell.length - 1;
    if (cell < 0) this.#write(`${text}\n`);
    else {
      const earlier = this.#paragraphsInCell[cell] ?? 0;
      this.#write(earlier > 0 ? `\n${text}` : text);
      this.#paragraphsInCell[cell] = earlier + 1;
    }
    if (this.#paragraphs.length === 0) this.#writeNotes();
  }

  #writeNotes(): void {
    const notes = this.#notes;
    this.#notes = [];
    for (const note of notes) this.#write(this.#paragraphsInCell.length > 0 ? `\n${note}` : note);
  }

  #openCell(): void {
    this.#write('\t');
    this.#paragraphsInCell.push(0);
  }

  #collect(on: boolean): void {
    this.#collecting = on;
  }

  /** A value of a chart; in the other vocabularies nothing is called `v`. */
  #openValue(): void {
    this.#collecting = true;
    this.#valueOfChart = true;
  }

  #closeValue(): void {
    this.#collecting = false;
    this.#valueOfChart = false;
  }

  #append(text: string): void {
    const last = this.#paragraphs.length - 1;
    if (last < 0) this.#write(text);
    else this.#paragraphs[last] = (this.#paragraphs[last] ?? '') + text;
  }

  /** Tab stops in a paragraph's properties have the name of the tab itself. */
  #appendInRun(text: string): void {
    if (this.#suppressed === 0 && this.#paragraphs.length > 0 && this.#inProperties === 0) this.#append(text);
  }

  #setListId(attributes: XmlAttributes): void {
    if (this.#inChange === 0) this.#listId = attributes.get('val');
  }

  #setLevel(attributes: XmlAttributes): void {
    if (this.#inChange === 0) this.#level = Number.parseInt(attributes.get('val') ?? '', 10) || 0;
  }

  #closeProperties(): void {
    this.#inProperties--;
    if (this.#listId === undefined || this.#inChange > 0 || this.#suppressed > 0) return;
    this.#append(this.#options.listNumber?.(this.#listId, this.#level) ?? '');
    this.#listId = undefined;
  }

  #refer(kind: NoteKind, attributes: XmlAttributes): void {
    if (kind === 'comment') this.traits.comments = true;
    if (this.#suppressed > 0) return;
    const note = this.#options.note?.(kind, attributes.get('id') ?? '');
    if (note !== undefined) this.#notes.push(note);
  }

  #closeAlternatives(): void {
    const inner = this.#alternatives.pop();
    const outer = this.#alternatives.at(-1);
    if (outer !== undefined && inner?.hasText === true) outer.hasText = true;
  }

  #openAlternative(): void {
    const around = this.#alternatives.at(-1);
    if (around?.hasText !== true) return;
    around.skipping = true;
    this.#suppressed++;
  }

  #closeAlternative(): void {
    const around = this.#alternatives.at(-1);
    if (around?.skipping !== true) return;
    around.skipping = false;
    this.#suppressed--;
  }

  #noteChange(attributes: XmlAttributes): void {
    this.traits.trackedChanges = true;
    const author = attributes.get('author');
    if (author !== undefined) this.traits.people.add(author);
  }

  #openMoveFrom(attributes: XmlAttributes): void {
    this.#noteChange(attributes);
    this.#suppressed++;
  }

  #closeRuby(): void {
    if (this.#reading !== '') this.#append(` (${this.#reading})`);
    this.#reading = '';
  }

  #endInstruction(): void {
    if (/^\s*HYPERLINK\s+"/i.test(this.#instruction)) this.traits.fieldHyperlinks = true;
    this.#instruction = '';
  }
}
