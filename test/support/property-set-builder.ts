/** Writes property set streams (SummaryInformation and the like). */
export type PropertyValue =
  | { readonly type: 'ansi' | 'wide'; readonly text: string }
  | { readonly type: 'int'; readonly value: number }
  | { readonly type: 'real'; readonly value: number }
  | { readonly type: 'flag'; readonly value: boolean }
  | { readonly type: 'time'; readonly value: Date | bigint };

export interface PropertySection {
  readonly format: keyof typeof FORMATS;
  readonly codePage?: number;
  readonly properties: Readonly<Record<number, PropertyValue>>;
  /** Names of the properties that a person defined. */
  readonly dictionary?: Readonly<Record<number, string>>;
  readonly encode?: (text: string) => Buffer;
}

const FORMATS = {
  summary: 'e0859ff2f94f6810ab9108002b27b3d9',
  document: '02d5cdd59c2e1b10939708002b2cf9ae',
  user: '05d5cdd59c2e1b10939708002b2cf9ae',
} as const;

export function propertySet(...sections: readonly PropertySection[]): Buffer {
  const bodies = sections.map(sectionBytes);
  let at = 28 + sections.length * 20;
  const header = Buffer.alloc(at);
  header.writeUInt16LE(0xfffe, 0);
  header.writeUInt32LE(sections.length, 24);
  sections.forEach(({ format }, index) => {
    Buffer.from(FORMATS[format], 'hex').copy(header, 28 + index * 20);
    header.writeUInt32LE(at, 44 + index * 20);
    at += bodies[index]!.length;
  });
  return Buffer.concat([header, ...bodies]);
}

function sectionBytes(section: PropertySection): Buffer {
  const encode = section.encode ?? ((text) => Buffer.from(text, 'latin1'));
  const entries: [number, Buffer][] = [[1, Buffer.concat([uint32(2), uint32(section.codePage ?? 1252)])]];
  if (section.dictionary !== undefined) entries.push([0, dictionaryBytes(section.dictionary, encode)]);
  for (const [id, value] of Object.entries(section.properties)) entries.push([Number(id), valueBytes(value, encode)]);
  let at = 8 + entries.length * 8;
  const table: Buffer[] = [];
  for (const [id, bytes] of entries) {
    table.push(uint32(id), uint32(at));
    at += bytes.length;
  }
  return Buffer.concat([uint32(at), uint32(entries.length), ...table, ...entries.map(([, bytes]) => bytes)]);
}

function valueBytes(value: PropertyValue, encode: (text: string) => Buffer): Buffer {
  switch (value.type) {
    case 'ansi': {
      const bytes = Buffer.concat([encode(value.text), Buffer.alloc(1)]);
      return padded(Buffer.concat([uint32(30), uint32(bytes.length), bytes]));
    }
    case 'wide':
      return padded(
        Buffer.concat([uint32(31), uint32(value.text.length + 1), Buffer.from(`${value.text}\0`, 'utf16le')]),
      );
    case 'int':
      return Buffer.concat([uint32(3), uint32(value.value)]);
    case 'real': {
      const bytes = Buffer.alloc(8);
      bytes.writeDoubleLE(value.value);
      return Buffer.concat([uint32(5), bytes]);
    }
    case 'flag':
      return Buffer.concat([uint32(11), uint32(value.value ? 0xffff : 0)]);
    case 'time': {
      const bytes = Buffer.alloc(8);
      const { value: time } = value;
      bytes.writeBigUInt64LE(typeof time === 'bigint' ? time : fileTime(time));
      return Buffer.concat([uint32(64), bytes]);
    }
  }
}

export function fileTime(date: Date): bigint {
  return (BigInt(date.getTime()) + 11_644_473_600_000n) * 10_000n;
}

function dictionaryBytes(names: Readonly<Record<number, string>>, encode: (text: string) => Buffer): Buffer {
  const rows = Object.entries(names).map(([id, name]) => {
    const bytes = Buffer.concat([encode(name), Buffer.alloc(1)]);
    return Buffer.concat([uint32(Number(id)), uint32(bytes.length), bytes]);
  });
  return padded(Buffer.concat([uint32(rows.length), ...rows]));
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}
