import type { IAudioMetadata, IOptions } from 'music-metadata';
import { CrawlerError } from '../../../base/errors.js';
import type { FormatContext, FormatInput } from '../../format.js';
import { mediaKinds, type MediaFamily, type MediaKind } from './media-kinds.js';
import { writeMediaLines } from './media-lines.js';
import { writeFormat, writeMp4, writeMpeg, writeTags } from './media-metadata.js';
import { toMediaTags } from './media-tags.js';
import { readMp4Structure } from './mp4-structure.js';
import { readMpegStream, withoutSound } from './mpeg-frames.js';

/** Sound and video: their tags as metadata and as lines of text. */
export async function extract(input: FormatInput, context: FormatContext): Promise<void> {
  const kind = mediaKinds.get(input.mediaType) ?? { family: 'other', libraryType: input.mediaType };
  const { family } = kind;
  const bytes = Buffer.from(input.bytes.buffer, input.bytes.byteOffset, input.bytes.byteLength);
  const stream = writeStructure(family, bytes, context);
  const { metadata, damaged } = await readTags(bytes, kind);
  if (!stream.known && (metadata === undefined || isEmpty(metadata))) {
    throw new CrawlerError('corrupt', `[${input.name}] is damaged, or no recording of the type ${input.mediaType}.`);
  }
  if (damaged) context.warn('The recording is damaged or ends early; tags may be missing.');
  const tags = metadata && toMediaTags(metadata);
  if (metadata !== undefined && !stream.known) writeFormat(metadata.format, family, context);
  if (tags !== undefined) writeTags(tags, context);
  writeMediaLines(family, tags, stream.duration ?? metadata?.format.duration, context);
}

interface Stream {
  /** False when nothing of its structure could be read here. */
  readonly known: boolean;
  /** Seconds. */
  readonly duration: number | undefined;
}

/** What is read here and not by the library of tags. */
function writeStructure(family: MediaFamily, bytes: Buffer, context: FormatContext): Stream {
  if (family === 'mpeg') {
    const stream = readMpegStream(bytes);
    if (stream !== undefined) writeMpeg(stream, context);
    return { known: stream !== undefined, duration: stream?.duration };
  }
  if (family === 'mp4') {
    const structure = readMp4Structure(bytes);
    writeMp4(structure, context);
    return { known: structure.brands.length > 0, duration: structure.duration };
  }
  return { known: false, duration: undefined };
}

/** The library takes any bytes for a recording without tags. */
function isEmpty({ native, format }: IAudioMetadata): boolean {
  return Object.keys(native).length === 0 && format.codec === undefined && format.trackInfo.length === 0;
}

interface Tags {
  /** Undefined when nothing at all was found. */
  readonly metadata: IAudioMetadata | undefined;
  readonly damaged: boolean;
}

/**
 * The library gives up at the first fault, but tells about every tag when it finds it. In a bare stream it would look at
 * every byte for the next frame, so it gets what holds tags alone.
 */
async function readTags(bytes: Buffer, { libraryType, bare = false }: MediaKind): Promise<Tags> {
  const { parseBuffer } = await import('music-metadata');
  const content = bare ? withoutSound(bytes) : bytes;
  let found: IAudioMetadata | undefined;
  const observer: IOptions['observer'] = ({ metadata }) => {
    found = metadata;
  };
  try {
    const file = { mimeType: libraryType, size: content.length };
    const options = { duration: !bare, skipCovers: true, mkvUseIndex: true, observer };
    return {
      metadata: await parseBuffer(content, file, options),
      damaged: false,
    };
  } catch {
    return { metadata: found, damaged: true };
  }
}
