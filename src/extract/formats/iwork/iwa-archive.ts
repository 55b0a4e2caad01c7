import { readMessage, readVarint } from './protobuf.js';
import { inflateSnappy } from './snappy.js';

/**
 * An `.iwa` file of iWork 2013 and later: chunks of a zero byte, a length in three bytes and Snappy data. Put together
 * they are a list of objects, each a length, a header (ArchiveInfo: field 2 describes the messages that follow, with
 * their type in field 1 and their length in field 3) and the messages.
 */
export interface IwaMessage {
  readonly type: number;
  readonly bytes: Buffer;
}

const CHUNK_HEADER = 4;

export function* readIwa(file: Uint8Array, countBytes: (bytes: number) => void): Generator<IwaMessage> {
  const data = inflateChunks(Buffer.from(file.buffer, file.byteOffset, file.length), countBytes);
  let position = 0;
  while (position < data.length) {
    const length = readVarint(data, position);
    if (length === undefined) return;
    const header = readMessage(data.subarray(length.end, length.end + length.value));
    position = length.end + length.value;
    for (const description of header.bytes(2)) {
      const message = readMessage(description);
      const size = message.numbers(3)[0] ?? 0;
      yield { type: message.numbers(1)[0] ?? 0, bytes: data.subarray(position, position + size) };
      position += size;
    }
  }
}

function inflateChunks(file: Buffer, countBytes: (bytes: number) => void): Buffer {
  const pieces: Buffer[] = [];
  let position = 0;
  while (position + CHUNK_HEADER <= file.length) {
    const end = position + CHUNK_HEADER + file.readUIntLE(position + 1, 3);
    pieces.push(inflateSnappy(file.subarray(position + CHUNK_HEADER, end), countBytes));
    position = end;
  }
  return Buffer.concat(pieces);
}
