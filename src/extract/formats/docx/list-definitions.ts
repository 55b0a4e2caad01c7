import type { XmlAttributes, XmlVisitor } from '../../containers/xml/xml.js';

/** What `numbering.xml` defines; `numbering.ts` says how it is used. */
export interface ListLevel {
  readonly start: number;
  readonly format: string;
  /** With `%1` … `%9` for the numbers of the levels. */
  readonly text: string;
  /** Restart after this level (one-based) instead of after every higher one; 0 never restarts. */
  readonly restart: number | undefined;
  /** All numbers in decimal, whatever their own level says. */
  readonly legal: boolean;
}

export interface List {
  readonly abstractId: string;
  /** Overrides, by level from 0. */
  readonly starts: ReadonlyMap<number, number>;
  readonly levels: ReadonlyMap<number, ListLevel>;
}

type Opener = (self: ListDefinitions, attributes: XmlAttributes) => void;
type Closer = (self: ListDefinitions) => void;
type LevelDraft = { -readonly [key in keyof ListLevel]?: ListLevel[key] };

/** A visitor of `numbering.xml` that holds what it has read. */
export class ListDefinitions implements XmlVisitor {
  readonly abstracts = new Map<string, ReadonlyMap<number, ListLevel>>();
  readonly lists = new Map<string, List>();
  /** Of the abstract list or list that is open. */
  #id = '';
  #abstractId = '';
  #levels = new Map<number, ListLevel>();
  #starts = new Map<number, number>();
  #level = 0;
  #draft: LevelDraft = {};

  open(name: string, attributes: XmlAttributes): void {
    ListDefinitions.#openers[name]?.(this, attributes);
  }

  close(name: string): void {
    ListDefinitions.#closers[name]?.(this);
  }

  static readonly #openers: Readonly<Record<string, Opener>> = {
    abstractNum: (self, attributes) => self.#begin(attributes.get('abstractNumId')),
    num: (self, attributes) => self.#begin(attributes.get('numId')),
    abstractNumId: (self, attributes) => (self.#abstractId = attributes.get('val') ?? ''),
    lvlOverride: (self, attributes) => (self.#level = integer(attributes.get('ilvl')) ?? 0),
    startOverride: (self, attributes) => self.#starts.set(self.#level, integer(attributes.get('val')) ?? 1),
    lvl: (self, attributes) => self.#beginLevel(attributes),
    start: (self, attributes) => self.#set('start', integer(attributes.get('val'))),
    numFmt: (self, attributes) => self.#set('format', attributes.get('val')),
    lvlText: (self, attributes) => self.#set('text', attributes.get('val') ?? ''),
    lvlRestart: (self, attributes) => self.#set('restart', integer(attributes.get('val'))),
    isLgl: (self, attributes) => self.#set('legal', attributes.get('val') !== '0'),
  };

  static readonly #closers: Readonly<Record<string, Closer>> = {
    abstractNum: (self) => self.abstracts.set(self.#id, self.#levels),
    num: (self) =>
      self.lists.set(self.#id, { abstractId: self.#abstractId, starts: self.#starts, levels: self.#levels }),
    lvl: (self) => self.#endLevel(),
  };

  #begin(id: string | undefined): void {
    this.#id = id ?? '';
    this.#levels = new Map();
    this.#starts = new Map();
  }

  #beginLevel(attributes: XmlAttributes): void {
    this.#level = integer(attributes.get('ilvl')) ?? 0;
    this.#draft = {};
  }

  #set<Key extends keyof LevelDraft>(key: Key, value: LevelDraft[Key]): void {
    if (value !== undefined) this.#draft[key] = value;
  }

  #endLevel(): void {
    const { format = 'decimal', text = `%${this.#level + 1}.`, restart, legal = false } = this.#draft;
    const start = this.#draft.start ?? (format.startsWith('decimal') || format === 'ordinal' ? 0 : 1);
    this.#levels.set(this.#level, { start, format, text, restart, legal });
  }
}

function integer(text: string | undefined): number | undefined {
  const value = Number.parseInt(text ?? '', 10);
  return Number.isNaN(value) ? undefined : value;
}
