import { characters, symbols } from './rtf-characters.js';
import { encodingOfCodePage, FontTable } from './rtf-fonts.js';
import { isInfoText, type RtfInfo } from './rtf-info.js';
import { HexData, pictureExtension, readObjectData, type RtfObject } from './rtf-objects.js';
import type { RtfHandler } from './rtf-reader.js';

/**
 * The meaning of RTF. Every group has a destination for its characters, inherited by the groups inside of it: the text, a
 * value of the info group, the data of a picture or object, or nothing. `{\*\word` marks a destination that a reader may
 * skip when it does not know the word; the ones known here are in the table.
 *
 * Characters come as bytes in the encoding of the current font (else of the document), or as `\uN`, which is followed by a
 * substitute of `\ucN` characters for older readers.
 */
type Destination =
  'text' | 'nothing' | 'fonts' | 'info' | 'infoText' | 'picture' | 'object' | 'propertyName' | 'propertyValue';

interface Group {
  destination: Destination;
  /** Where the text of a `\ud` group goes: it is nested in a group that is passed over. */
  outer: Destination;
  font: number | undefined;
  substituteLength: number;
  inObject: boolean;
}

export type RtfItem = string | RtfObject;
type Action = (self: RtfDocument, parameter: number | undefined) => void;

const PIECE = 64 * 1024;
/** Groups below this depth share the one that they are in. No producer nests like that. */
const MAX_DEPTH = 10_000;

export class RtfDocument implements RtfHandler {
  /** Text and objects in the order of the document. */
  readonly items: RtfItem[] = [];
  readonly #bytes: Buffer;
  readonly #isFull: (characters: number) => boolean;
  readonly #decode: (bytes: Buffer, encoding: string) => string;
  readonly #info: RtfInfo;
  readonly #fonts = new FontTable();
  readonly #stack: Group[] = [];
  #passedOver = 0;
  readonly #hex = new HexData();
  #group: Group = { destination: 'text', outer: 'text', font: undefined, substituteLength: 1, inObject: false };
  #encoding = 'windows-1252';
  #defaultFont: number | undefined;
  /** Bytes of characters that are not decoded yet. */
  #pending: number[] = [];
  /** Text that is not in `items` yet, and the number of characters that are. */
  #text = '';
  #length = 0;
  #infoWord = '';
  #infoValue = '';
  #optional = false;
  /** The group around everything is closed; what follows is not the document. */
  #ended = false;
  #substitutesLeft = 0;
  #pictureCount = 0;
  #thumbnailCount = 0;
  #property = { name: '', value: '' };
  #description = '';

  constructor(bytes: Buffer, options: RtfOptions) {
    this.#bytes = bytes;
    this.#isFull = options.isFull;
    this.#decode = options.decode;
    this.#info = options.info;
  }

  get done(): boolean {
    return this.#ended || this.#isFull(this.#length);
  }

  openGroup(): void {
    this.#flushBytes();
    this.#substitutesLeft = 0;
    this.#optional = false;
    if (this.#stack.length >= MAX_DEPTH) {
      this.#passedOver++;
      return;
    }
    this.#stack.push(this.#group);
    this.#group = { ...this.#group };
  }

  closeGroup(): void {
    this.#flushBytes();
    this.#substitutesLeft = 0;
    if (this.#passedOver > 0) {
      this.#passedOver--;
      return;
    }
    const inner = this.#group;
    const outer = this.#stack.pop();
    if (outer === undefined) return;
    this.#group = outer;
    this.#ended = this.#stack.length === 0;
    if (inner.destination !== outer.destination) this.#closeDestination(inner);
    else if (inner.destination === 'info') this.#info.closeGroup();
  }

  word(word: string, parameter: number | undefined): void {
    const optional = this.#optional;
    this.#optional = false;
    const action = actions.get(word);
    if (action !== undefined) action(this, parameter);
    else if (characters[word] !== undefined) this.#write(characters[word]);
    else if (this.#group.destination === 'info') this.#infoWordOf(word, parameter);
    else if (this.#group.destination === 'fonts') this.#fonts.define(word, parameter ?? 0);
    else if (optional) this.#group.destination = 'nothing';
  }

  symbol(character: string): void {
    if (character === '*') this.#optional = true;
    else if (this.#substitutesLeft > 0) this.#substitutesLeft--;
    else this.#write(symbols[character] ?? '');
  }

  hexByte(byte: number): void {
    if (this.#substitutesLeft > 0) this.#substitutesLeft--;
    else if (this.#group.destination !== 'nothing') this.#pending.push(byte);
  }

  text(start: number, end: number): void {
    const from = start + Math.min(this.#substitutesLeft, end - start);
    this.#substitutesLeft -= from - start;
    const { destination } = this.#group;
    if (destination === 'nothing' || destination === 'fonts' || from === end) return;
    if (destination === 'picture' || destination === 'object')
      this.#hex.addDigits(this.#bytes.toString('latin1', from, end));
    else for (let index = from; index < end; index++) this.#pending.push(this.#bytes[index] ?? 0);
  }

  binary(start: number, end: number): void {
    const { destination } = this.#group;
    if (destination === 'picture' || destination === 'object') this.#hex.addBytes(this.#bytes.subarray(start, end));
  }

  /** Moves the last text to the items. */
  finish(): void {
    this.#passedOver = 0;
    while (this.#stack.length > 0) this.closeGroup();
    this.#flushBytes();
    this.#flushText();
  }

  setDestination(destination: Destination): void {
    this.#flushBytes();
    if (destination === 'picture') this.#description = '';
    this.#group.destination = destination;
  }

  /** A destination inside of one that is passed over, whose text belongs to the document. */
  setText(before: string): void {
    this.setDestination('text');
    this.#write(before);
  }

  beginUnicodePair(): void {
    this.#group.outer = this.#group.destination;
    this.#group.destination = 'nothing';
  }

  useUnicodePart(): void {
    this.#group.destination = this.#group.outer;
  }

  setFont(font: number | undefined): void {
    if (this.#group.destination === 'fonts') this.#fonts.define('f', font ?? 0);
    else {
      this.#flushBytes();
      this.#group.font = font;
    }
  }

  setDefaultFont(font: number | undefined): void {
    this.#defaultFont = font;
  }

  setEncoding(encoding: string | undefined): void {
    if (encoding !== undefined) this.#encoding = encoding;
  }

  setSubstituteLength(length: number): void {
    this.#group.substituteLength = Math.max(0, length);
  }

  writeUnicode(code: number): void {
    this.#write(String.fromCharCode(code & 0xffff));
    this.#substitutesLeft = this.#group.substituteLength;
  }

  enterObject(): void {
    this.#group.inObject = true;
  }

  #infoWordOf(word: string, parameter: number | undefined): void {
    if (isInfoText(word)) {
      this.#infoWord = word;
      this.#infoValue = '';
      this.#group.destination = 'infoText';
    } else this.#info.word(word, parameter);
  }

  #closeDestination(inner: Group): void {
    if (inner.destination === 'infoText') this.#info.writeText(this.#infoWord, this.#infoValue);
    else if (inner.destination === 'picture') this.#addPicture(inner.inObject);
    else if (inner.destination === 'object') this.#addObject();
    else if (inner.destination === 'propertyValue') this.#endProperty();
  }

  #addPicture(inObject: boolean): void {
    const bytes = this.#hex.take();
    if (bytes.length === 0) return;
    this.#addItem({ name: this.#description || this.#pictureName(inObject, bytes), bytes });
  }

  #pictureName(inObject: boolean, bytes: Buffer): string {
    const stem = inObject ? `thumbnail_${this.#thumbnailCount++}` : `file_${this.#pictureCount++}`;
    return `${stem}.${pictureExtension(bytes)}`;
  }

  #addObject(): void {
    const object = readObjectData(this.#hex.take(), this.#pictureCount);
    if (object === undefined) return;
    if (object.name.startsWith('file_')) this.#pictureCount++;
    this.#addItem(object);
  }

  #addItem(object: RtfObject): void {
    this.#flushText();
    this.items.push(object);
  }

  /** A picture's properties come as pairs of name and value; its description is its name. */
  #endProperty(): void {
    if (this.#property.name === 'wzDescription') this.#description = this.#property.value.trim();
    this.#property = { name: '', value: '' };
  }

  #write(text: string): void {
    this.#flushBytes();
    this.#add(text);
  }

  #flushBytes(): void {
    if (this.#pending.length === 0) return;
    const bytes = Buffer.from(this.#pending);
    this.#pending = [];
    const inText = this.#group.destination === 'text';
    const font = this.#group.font ?? (inText ? this.#defaultFont : undefined);
    this.#add(this.#decode(bytes, this.#fonts.encodingOf(font) ?? this.#encoding));
  }

  #add(text: string): void {
    const { destination } = this.#group;
    if (destination === 'text') this.#text += text;
    else if (destination === 'infoText') this.#infoValue += text;
    else if (destination === 'propertyName') this.#property.name += text;
    else if (destination === 'propertyValue') this.#property.value += text;
    if (this.#text.length >= PIECE) this.#flushText();
  }

  #flushText(): void {
    if (this.#text === '') return;
    this.items.push(this.#text);
    this.#length += this.#text.length;
    this.#text = '';
  }
}

export interface RtfOptions {
  /** Told how many characters there are; true when no more are wanted. */
  readonly isFull: (characters: number) => boolean;
  readonly decode: (bytes: Buffer, encoding: string) => string;
  readonly info: RtfInfo;
}

function destination(name: Destination): Action {
  return (self) => self.setDestination(name);
}

/** Words that change what is read, rather than how it looks. Their effect is the same with and without `\*`. */
const actions = new Map<string, Action>([
  ...['colortbl', 'stylesheet', 'listtable', 'listoverridetable', 'filetbl', 'revtbl', 'rsidtbl', 'listtext', 'fldinst']
    .concat(['objclass', 'objname', 'shpinst', 'generator', 'xmlnstbl', 'pgdsctbl'])
    .map((word): [string, Action] => [word, destination('nothing')]),
  ['fonttbl', destination('fonts')],
  ['info', destination('info')],
  ['pict', destination('picture')],
  ['objdata', destination('object')],
  ['sn', destination('propertyName')],
  ['sv', destination('propertyValue')],
  ['shptxt', (self) => self.setText('')],
  ['annotation', (self) => self.setText('')],
  ['atnid', (self) => self.setText(' ')],
  ['atnauthor', (self) => self.setText(' ')],
  ['chatn', (self) => self.setText(' ')],
  ['shppict', () => undefined],
  ['picprop', destination('nothing')],
  ['upr', (self) => self.beginUnicodePair()],
  ['ud', (self) => self.useUnicodePart()],
  ['object', (self) => self.enterObject()],
  ['f', (self, parameter) => self.setFont(parameter)],
  ['plain', (self) => self.setFont(undefined)],
  ['deff', (self, parameter) => self.setDefaultFont(parameter)],
  ['ansi', (self) => self.setEncoding('windows-1252')],
  ['mac', (self) => self.setEncoding('macroman')],
  ['pc', (self) => self.setEncoding('cp437')],
  ['pca', (self) => self.setEncoding('cp850')],
  ['ansicpg', (self, parameter) => self.setEncoding(encodingOfCodePage(parameter ?? 0))],
  ['uc', (self, parameter) => self.setSubstituteLength(parameter ?? 1)],
  ['u', (self, parameter) => self.writeUnicode(parameter ?? 0)],
]);
