import type { FormatContext } from '../../format.js';

/** The info group: `{\title …}`, `{\creatim\yr2016\mo7…}`, `\nofwords19`, under Tika's keys and with Tika's choice of them. */
const textKeys: Readonly<Record<string, readonly string[]>> = {
  title: ['dc:title'],
  subject: ['dc:subject'],
  author: ['dc:creator'],
  keywords: ['meta:keyword', 'dc:subject'],
  category: ['cp:category'],
  comment: ['w:Comments'],
  company: ['extended-properties:Company'],
  manager: ['extended-properties:Manager'],
  template: ['extended-properties:Template'],
};

const countKeys: Readonly<Record<string, string>> = {
  nofpages: 'meta:page-count',
  nofwords: 'meta:word-count',
  nofchars: 'meta:character-count',
};

const noDate = { yr: 0, mo: 1, dy: 1, hr: 0, min: 0, sec: 0 };

export function isInfoText(word: string): boolean {
  return word in textKeys;
}

export class RtfInfo {
  readonly #context: FormatContext;
  readonly #date = { ...noDate };
  #inCreationDate = false;

  constructor(context: FormatContext) {
    this.#context = context;
  }

  writeText(word: string, value: string): void {
    for (const key of textKeys[word] ?? []) this.#context.meta(key, value);
  }

  /** A control word in the info group that is not a text. */
  word(word: string, parameter: number | undefined): void {
    const count = countKeys[word];
    if (count !== undefined && parameter !== undefined) this.#context.meta(count, parameter);
    if (word === 'creatim') this.#inCreationDate = true;
    if (isDatePart(word)) this.#date[word] = parameter ?? 0;
  }

  closeGroup(): void {
    if (this.#inCreationDate && this.#date.yr > 0) this.#context.meta('dcterms:created', this.#takeDate());
    this.#inCreationDate = false;
    Object.assign(this.#date, noDate);
  }

  /** Times have no zone; they are taken as UTC. */
  #takeDate(): Date {
    const { yr, mo, dy, hr, min, sec } = this.#date;
    return new Date(Date.UTC(yr, Math.max(1, mo) - 1, Math.max(1, dy), hr, min, sec));
  }
}

function isDatePart(word: string): word is 'yr' | 'mo' | 'dy' | 'hr' | 'min' | 'sec' {
  return ['yr', 'mo', 'dy', 'hr', 'min', 'sec'].includes(word);
}
