import { isUtf8 } from 'node:buffer';
import { TiffStructure, type TiffDirectory } from './tiff-structure.js';

/** EXIF: what a camera or a program notes about a picture, in three directories of a TIFF structure. */
export interface ExifTags {
  readonly picture: TiffDirectory;
  readonly camera: TiffDirectory;
  readonly position: TiffDirectory;
  readonly userComment: string | undefined;
}

export const PICTURE = {
  description: 0x010e,
  make: 0x010f,
  model: 0x0110,
  orientation: 0x0112,
  xResolution: 0x011a,
  yResolution: 0x011b,
  resolutionUnit: 0x0128,
  software: 0x0131,
  modified: 0x0132,
  artist: 0x013b,
  rating: 0x4746,
  copyright: 0x8298,
  camera: 0x8769,
  position: 0x8825,
  windowsTitle: 0x9c9b,
  windowsComment: 0x9c9c,
  windowsKeywords: 0x9c9e,
} as const;

export const CAMERA = {
  exposureTime: 0x829a,
  fNumber: 0x829d,
  isoSpeed: 0x8827,
  originalTime: 0x9003,
  flash: 0x9209,
  focalLength: 0x920a,
  userComment: 0x9286,
  lensModel: 0xa434,
} as const;

export const POSITION = {
  latitudeReference: 1,
  latitude: 2,
  longitudeReference: 3,
  longitude: 4,
  altitudeReference: 5,
  altitude: 6,
  time: 7,
  date: 29,
} as const;

/** Undefined when the structure has no readable directory. */
export function readExifTags(tiff: Buffer): ExifTags | undefined {
  const structure = new TiffStructure(tiff);
  if (tiff.length < 8) return undefined;
  const picture = structure.directory(structure.first);
  const camera = structure.directory(picture.number(PICTURE.camera));
  const position = structure.directory(picture.number(PICTURE.position));
  return { picture, camera, position, userComment: decodeUserComment(camera.bytes(CAMERA.userComment)) };
}

/** Eight bytes name the encoding: "ASCII", "UNICODE" (UTF-16 in the byte order of the writer), "JIS", or nothing. */
function decodeUserComment(bytes: Buffer | undefined): string | undefined {
  if (bytes === undefined || bytes.length <= 8) return undefined;
  const text = bytes.subarray(8);
  let decoded: string;
  if (bytes.toString('latin1', 0, 7) === 'UNICODE') {
    decoded = text[0] === 0 ? new TextDecoder('utf-16be').decode(text) : text.toString('utf16le');
  } else decoded = text.toString(isUtf8(text) ? 'utf8' : 'latin1');
  return decoded.replaceAll('\0', '').trim() || undefined;
}
