import { inflateRawSync } from 'node:zlib';
import { CrawlerError } from '../../../base/errors.js';
import { bunzip } from '../../containers/bzip2/bunzip.js';
import { FILTER_DELTA, FILTER_X86, filterPieces } from '../../containers/lzma/filters.js';
import { parseProperties } from '../../containers/lzma/lzma-decoder.js';
import { lzma2DictionaryBytes, unpackLzma, unpackLzma2 } from '../../containers/lzma/lzma-streams.js';
import { damagedHeader } from './byte-reader.js';
import type { FolderKeys } from './folder-key.js';
import type { Coder, Folder } from './streams-info.js';

/** Identifiers of coders. */
const COPY = '00';
const DELTA = '03';
const X86 = '04';
const LZMA2 = '21';
const LZMA = '030101';
const X86_OF_7Z = '03030103';
const DEFLATE = '040108';
const BZIP2 = '040202';
const AES = '06f10701';

type Pieces = Iterable<Uint8Array>;

export function isEncrypted({ chain }: Folder): boolean {
  return chain?.some(({ id }) => id === AES) === true;
}

export interface UnpackOptions {
  readonly password: string;
  readonly keys: FolderKeys;
  /** Told of every unpacked byte; throws when a limit is reached. */
  countBytes(bytes: number): void;
}

/**
 * The contents of a folder, in pieces that are valid until the next one. Throws `corrupt` (also for a wrong password, which
 * cannot be told apart) and `unsupported`.
 */
export function* unpackFolder(archive: Buffer, folder: Folder, options: UnpackOptions): Generator<Uint8Array> {
  const { chain, packedAt, packedSize, size } = folder;
  if (chain === undefined) throw unsupported('bcj2');
  const { password, keys } = options;
  const isCounted = chain.some(({ id }) => id === DEFLATE || id === BZIP2);
  if (isCounted) options.countBytes(size);
  let pieces: Pieces = [archive.subarray(packedAt, packedAt + packedSize)];
  for (const coder of chain) {
    pieces = coder.id === AES ? [keys.decrypt(whole(pieces), coder.properties, password)] : decode(coder, pieces);
  }
  let left = size;
  for (const piece of pieces) {
    const wanted = piece.subarray(0, left);
    if (!isCounted) options.countBytes(wanted.length);
    yield wanted;
    left -= wanted.length;
    if (left === 0) return;
  }
}

function decode({ id, properties, size }: Coder, input: Pieces): Pieces {
  switch (id) {
    case COPY:
      return input;
    case LZMA:
      if (properties.length < 5) throw damagedHeader();
      return unpackLzma(whole(input), {
        ...parseProperties(properties[0] ?? 0),
        dictionaryBytes: properties.readUInt32LE(1),
        size,
      });
    case LZMA2:
      return unpackLzma2({ bytes: whole(input), at: 0 }, Math.min(size, lzma2DictionaryBytes(properties[0] ?? 0)));
    case DELTA:
      return filterPieces(FILTER_DELTA, properties, input);
    case X86:
    case X86_OF_7Z:
      return filterPieces(FILTER_X86, properties, input);
    case DEFLATE:
      return inflated(whole(input), size);
    case BZIP2:
      return unbzipped(whole(input), size);
    default:
      throw unsupported(id);
  }
}

/** Data that is decoded as a whole is decoded when it is asked for, not before. */
function* inflated(input: Buffer, size: number): Generator<Uint8Array> {
  try {
    yield inflateRawSync(input, { maxOutputLength: Math.max(1, size) });
  } catch (cause) {
    throw new CrawlerError('corrupt', 'The deflated data is damaged or cut off.', { cause });
  }
}

function* unbzipped(input: Buffer, size: number): Generator<Uint8Array> {
  const pieces: Buffer[] = [];
  let left = size;
  bunzip(input, (piece) => {
    pieces.push(piece);
    left -= piece.length;
    return left > 0;
  });
  yield* pieces;
}

/** Pieces that are there already need no copy. */
function whole(pieces: Pieces): Buffer {
  if (!Array.isArray(pieces)) return Buffer.concat(Array.from(pieces, (piece) => Buffer.from(piece)));
  const [first = Buffer.alloc(0)] = pieces as readonly Uint8Array[];
  return Buffer.from(first.buffer, first.byteOffset, first.length);
}

function unsupported(id: string): CrawlerError {
  return new CrawlerError('unsupported', `The 7z archive packs entries in a way that is not known (${id}).`);
}
