import iconv from 'iconv-lite';
import type { FormatContext } from '../../format.js';
import { codePageOf } from '../../containers/charset/font-charset.js';
import { TextLines, type Rectangle } from './text-lines.js';

/**
 * Enhanced Metafile ([MS-EMF]): records, all little-endian, the first being the header with the signature " EMF":
 *
 *     u32 type · u32 size, with these fields, a multiple of four · parameters
 *
 * Text records hold an EmrText object, whose offsets count from the start of the record:
 *
 *     i32 x, y · u32 characters · u32 offset of the string · u32 options · i32 left, top, right, bottom · u32 offset of dx
 *
 * Comment records carry other pictures, and, for a file that Office shows as an icon, the name under the icon: a comment
 * "IconOnly" and then a comment with the name.
 */
const SIGNATURE = 0x464d4520;
const SIGNATURE_OFFSET = 40;
const RECORD_HEADER_BYTES = 8;
const RECORD = {
  comment: 70,
  createFont: 82,
  extTextOutA: 83,
  extTextOutW: 84,
  polyTextOutA: 96,
  polyTextOutW: 97,
  smallTextOut: 108,
} as const;
/** lfCharSet of the LOGFONT, behind the header and the object index. */
const CHARSET_OFFSET = 12 + 23;
const EMR_TEXT_OFFSET = 36;
const EMR_TEXT_BYTES = 40;

const COMMENT_PUBLIC = 0x43494447;
const COMMENT_EMF_PLUS = 0x2b464d45;
const PUBLIC = { windowsMetafile: 0x80000001, multiFormats: 0x40000004 } as const;

/** False when these bytes are no metafile. */
export async function writeEmf(bytes: Buffer, context: FormatContext): Promise<boolean> {
  if (bytes.length < SIGNATURE_OFFSET + 4 || bytes.readUInt32LE(SIGNATURE_OFFSET) !== SIGNATURE) return false;
  const reader = new EmfReader(context);
  let at = 0;
  while (at + RECORD_HEADER_BYTES <= bytes.length && !context.full) {
    const size = bytes.readUInt32LE(at + 4);
    if (size < RECORD_HEADER_BYTES) break;
    await reader.read(bytes.readUInt32LE(at), bytes.subarray(at, at + size));
    at += size;
  }
  if (at > bytes.length) context.warn('The metafile ends early; words may be missing.');
  reader.end();
  return true;
}

class EmfReader {
  readonly #context: FormatContext;
  readonly #lines: TextLines;
  #codePage = codePageOf(undefined);
  #iconNameFollows = false;
  #iconName: string | undefined;

  constructor(context: FormatContext) {
    this.#context = context;
    this.#lines = new TextLines((line) => context.write(`${line}\n`));
  }

  async read(type: number, record: Buffer): Promise<void> {
    try {
      await this.#dispatch(type, record);
    } catch (error) {
      if ((error as Error).name !== 'RangeError') throw error;
      // An offset leads out of the record: the words of this record are lost, the next record stands on its own.
    }
  }

  end(): void {
    this.#lines.end();
    if (this.#iconName === undefined) return;
    this.#context.meta('emf:iconOnly', true);
    this.#context.meta('emf:iconString', this.#iconName);
  }

  async #dispatch(type: number, record: Buffer): Promise<void> {
    switch (type) {
      case RECORD.createFont:
        this.#codePage = codePageOf(record[CHARSET_OFFSET]);
        break;
      case RECORD.extTextOutA:
      case RECORD.extTextOutW:
        this.#text(record, EMR_TEXT_OFFSET, type === RECORD.extTextOutW);
        break;
      case RECORD.polyTextOutA:
      case RECORD.polyTextOutW:
        this.#polyText(record, type === RECORD.polyTextOutW);
        break;
      case RECORD.smallTextOut:
        this.#smallText(record);
        break;
      case RECORD.comment:
        await this.#comment(record);
        break;
    }
  }

  #text(record: Buffer, at: number, wide: boolean): void {
    const characters = record.readUInt32LE(at + 8);
    const start = record.readUInt32LE(at + 12);
    const text = this.#decode(record.subarray(start, start + characters * (wide ? 2 : 1)), wide);
    this.#lines.add(text, extent(record, at, characters));
  }

  #polyText(record: Buffer, wide: boolean): void {
    const count = record.readUInt32LE(EMR_TEXT_OFFSET);
    for (let i = 0; i < count; i++) this.#text(record, EMR_TEXT_OFFSET + 4 + i * EMR_TEXT_BYTES, wide);
  }

  /** x, y, characters, options, graphics mode, scales, and bounds unless an option leaves them out; then the string. */
  #smallText(record: Buffer): void {
    const options = record.readUInt32LE(20);
    const narrow = (options & 0x200) !== 0;
    const start = (options & 0x100) === 0 ? 52 : 36;
    const text = record.subarray(start, start + record.readUInt32LE(16) * (narrow ? 1 : 2));
    const x = record.readInt32LE(8);
    const y = record.readInt32LE(12);
    this.#lines.add(this.#decode(text, !narrow), { left: x, top: y, right: x });
  }

  #decode(bytes: Buffer, wide: boolean): string {
    const text = wide ? bytes.toString('utf16le') : iconv.decode(bytes, this.#codePage);
    return text.replaceAll('\0', '');
  }

  async #comment(record: Buffer): Promise<void> {
    const data = record.subarray(12, 12 + record.readUInt32LE(8));
    const nameFollows = this.#iconNameFollows;
    this.#iconNameFollows = false;
    const kind = data.length >= 4 ? data.readUInt32LE(0) : 0;
    if (kind === COMMENT_PUBLIC) return this.#publicComment(record, data);
    if (kind === COMMENT_EMF_PLUS || data.length % 2 !== 0) return;
    const text = data.toString('utf16le').replace(/\0.*$/s, '');
    if (text === 'IconOnly') this.#iconNameFollows = this.#iconName === undefined;
    else if (nameFollows) this.#iconName ??= text;
  }

  async #publicComment(record: Buffer, data: Buffer): Promise<void> {
    const kind = data.readUInt32LE(4);
    if (kind === PUBLIC.windowsMetafile) {
      const size = data.readUInt32LE(20);
      await this.#picture(data.subarray(24, 24 + size), 'image/wmf');
    } else if (kind === PUBLIC.multiFormats) {
      const count = data.readUInt32LE(24);
      for (let i = 0; i < count; i++) {
        const at = 28 + i * 16;
        const start = 12 + data.readUInt32LE(at + 12);
        await this.#picture(record.subarray(start, start + data.readUInt32LE(at + 8)), undefined);
      }
    }
  }

  async #picture(bytes: Buffer, mediaType: string | undefined): Promise<void> {
    if (bytes.length === 0 || this.#context.full) return;
    await this.#context.embedded({ name: '', bytes, printName: false, ...(mediaType !== undefined && { mediaType }) });
  }
}

/**
 * Where a text stands: its own rectangle, else the bounds of the record; when neither says anything, the reference point
 * and the distances between the characters.
 */
function extent(record: Buffer, at: number, characters: number): Rectangle {
  for (const start of [at + 20, 8]) {
    const [left = 0, top = 0, right = 0, bottom = 0] = [0, 4, 8, 12].map((offset) =>
      record.readInt32LE(start + offset),
    );
    if (right > left || bottom > top) return { left, top, right };
  }
  const left = record.readInt32LE(at);
  const distances = record.readUInt32LE(at + 36);
  let right = left;
  for (let i = 0; distances > 0 && i < characters && distances + i * 4 + 4 <= record.length; i++) {
    right += record.readInt32LE(distances + i * 4);
  }
  return { left, top: record.readInt32LE(at + 4), right };
}
