import { inflateSync } from 'node:zlib';
import { CrawlerError } from '../../../base/errors.js';
import type { FormatContext, FormatInput } from '../../format.js';
import { readBitmap, readIcon } from './types/bitmap.js';
import { readGif } from './types/gif.js';
import { readIsoImage } from './types/iso-image.js';
import { readJpeg } from './types/jpeg.js';
import { readPhotoshop } from './types/photoshop.js';
import { readPng } from './types/png.js';
import { readTiff } from './types/tiff.js';
import { readWebp } from './types/webp.js';
import { readExifTags } from './exif-tags.js';
import { ImageContents, type ContainerReader } from './image-contents.js';
import { writeImageMetadata } from './image-metadata.js';
import { readIptc } from './iptc-datasets.js';
import { recognisePicture } from './recognise-picture.js';
import { readXmp } from './xmp-properties.js';

/**
 * Pictures: size and depth, what the camera noted, what people wrote about them; and the text that they show, where it can
 * be recognised. The container is recognised by its first bytes and not by the name of the type, since pictures are often
 * misnamed.
 */
export async function extract(input: FormatInput, context: FormatContext): Promise<void> {
  const bytes = Buffer.from(input.bytes.buffer, input.bytes.byteOffset, input.bytes.byteLength);
  const container = CONTAINERS.find(({ magic, at = 0 }) =>
    magic.some((start) => bytes.toString('latin1', at, at + start.length) === start),
  );
  if (container === undefined) throw new CrawlerError('corrupt', `[${input.name}] does not begin like a picture.`);
  const image = new ImageContents();
  try {
    container.read(bytes, image, (packed) => inflate(packed, context));
  } catch (error) {
    if ((error as Error).name !== 'RangeError') throw error;
    context.warn('The picture is damaged or ends early; metadata may be missing.');
  }
  const exif = image.exif && readExifTags(image.exif);
  const iptc = image.iptc && readIptc(image.iptc);
  const xmp = image.xmp && (await readXmp(image.xmp));
  writeImageMetadata({ image, exif, iptc: iptc ?? new Map(), xmp: xmp ?? new Map() }, context);
  if (container.read === readJpeg) writePixelSizes(image, context);
  await recognisePicture(input, image, context);
}

/** The peer's second form of the size, which it gives for JPEG alone. */
function writePixelSizes(image: ImageContents, context: FormatContext): void {
  if (image.width === undefined || image.height === undefined) return;
  context.meta('Image Width', `${image.width} pixels`);
  context.meta('Image Height', `${image.height} pixels`);
}

interface Container {
  /** Bytes as Latin-1. */
  readonly magic: readonly string[];
  readonly at?: number;
  readonly read: ContainerReader;
}

const CONTAINERS: readonly Container[] = [
  { magic: ['\xff\xd8'], read: readJpeg },
  { magic: ['\x89PNG\r\n'], read: readPng },
  { magic: ['GIF8'], read: readGif },
  { magic: ['BM'], read: readBitmap },
  { magic: ['\0\0\x01\0', '\0\0\x02\0'], read: readIcon },
  { magic: ['II*\0', 'MM\0*'], read: readTiff },
  { magic: ['WEBP'], at: 8, read: readWebp },
  { magic: ['ftyp', 'jP  ', 'JXL '], at: 4, read: readIsoImage },
  { magic: ['8BPS\0\x01', '8BPS\0\x02'], read: readPhotoshop },
];

/** More text than this is no caption. */
const MAX_INFLATED_BYTES = 16 * 1024 * 1024;

function inflate(packed: Buffer, context: FormatContext): Buffer | undefined {
  let unpacked: Buffer;
  try {
    unpacked = inflateSync(packed, { maxOutputLength: MAX_INFLATED_BYTES });
  } catch {
    context.warn('A compressed text in the picture cannot be unpacked.');
    return undefined;
  }
  context.countBytes(unpacked.length);
  return unpacked;
}
