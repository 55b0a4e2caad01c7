/**
 * Protocol buffer messages, as far as text needs them: fields by number, without a schema. Each field is a key (number and
 * wire type) and a varint, 8 bytes, a length with so many bytes, or 4 bytes.
 */
const VARINT = 0;
const EIGHT_BYTES = 1;
const BYTES = 2;
const FOUR_BYTES = 5;

export interface ProtoMessage {
  /** Values of a field that are numbers. */
  numbers(field: number): readonly number[];
  /** Values of a field that are strings, bytes or messages. */
  bytes(field: number): readonly Buffer[];
}

/** Reads as far as the message makes sense; what follows a fault is left out. */
export function readMessage(buffer: Buffer): ProtoMessage {
  const numbers = new Map<number, number[]>();
  const bytes = new Map<number, Buffer[]>();
  let position = 0;
  while (position < buffer.length) {
    const key = readVarint(buffer, position);
    if (key === undefined) break;
    const field = Math.floor(key.value / 8);
    const wire = key.value % 8;
    const size = wire === VARINT ? undefined : sizeOf(buffer, wire, key.end);
    if (wire === VARINT) {
      const value = readVarint(buffer, key.end);
      if (value === undefined) break;
      add(numbers, field, value.value);
      position = value.end;
    } else {
      if (size === undefined || size.end > buffer.length) break;
      if (wire === BYTES) add(bytes, field, buffer.subarray(size.start, size.end));
      position = size.end;
    }
  }
  return { numbers: (field) => numbers.get(field) ?? [], bytes: (field) => bytes.get(field) ?? [] };
}

/** Undefined when the buffer ends in it. Numbers above 2^53 lose their low digits. */
export function readVarint(buffer: Buffer, start: number): { value: number; end: number } | undefined {
  let value = 0;
  for (let index = 0; index < 10; index++) {
    const byte = buffer[start + index];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return { value, end: start + index + 1 };
  }
  return undefined;
}

function sizeOf(buffer: Buffer, wire: number, at: number): { start: number; end: number } | undefined {
  if (wire === EIGHT_BYTES) return { start: at, end: at + 8 };
  if (wire === FOUR_BYTES) return { start: at, end: at + 4 };
  const length = wire === BYTES ? readVarint(buffer, at) : undefined;
  return length && { start: length.end, end: length.end + length.value };
}

function add<Value>(map: Map<number, Value[]>, field: number, value: Value): void {
  const values = map.get(field);
  if (values === undefined) map.set(field, [value]);
  else values.push(value);
}
