import { isoBoxes } from '../../containers/iso-media/iso-boxes.js';

/**
 * ISO media files (MP4, M4A, MOV, 3GP): boxes inside boxes. What the tag library leaves out is read here: brands, times,
 * sizes of the picture, and the named metadata of QuickTime with the place of a recording.
 *
 *     ftyp                      major brand · version · compatible brands
 *     moov/mvhd                 times in seconds since 1904, duration in units of the time scale
 *     moov/trak/mdia/minf/stbl/stsd   a sample description for each coding, picture or sound
 *     moov/udta/©xyz            place, as ISO 6709
 *     moov/meta/keys, ilst      names, and values by number of the name
 */
export interface Mp4Structure {
  brands: string[];
  created: Date | undefined;
  modified: Date | undefined;
  /** Seconds. */
  duration: number | undefined;
  width: number | undefined;
  height: number | undefined;
  videoCompressor: string | undefined;
  hasVideo: boolean;
  hasAudio: boolean;
  sampleRate: number | undefined;
  channels: number | undefined;
  location: string | undefined;
  named: (readonly [string, string])[];
}

const CONTAINERS: ReadonlySet<string> = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'udta']);
const MAX_DEPTH = 8;
const LOCATION_KEY = 'com.apple.quicktime.location.ISO6709';
const TEXT_VALUE = 1;
/** Seconds between 1904 and 1970. */
const EPOCH_DIFFERENCE = 2_082_844_800;

/** Reads as far as the file goes. */
export function readMp4Structure(bytes: Buffer): Mp4Structure {
  const structure: Mp4Structure = {
    brands: [],
    created: undefined,
    modified: undefined,
    duration: undefined,
    width: undefined,
    height: undefined,
    videoCompressor: undefined,
    hasVideo: false,
    hasAudio: false,
    sampleRate: undefined,
    channels: undefined,
    location: undefined,
    named: [],
  };
  try {
    readBoxes(bytes, structure, 0);
  } catch (error) {
    if ((error as Error).name !== 'RangeError') throw error;
    // Cut off: what was read until here is true.
  }
  return structure;
}

function readBoxes(data: Buffer, structure: Mp4Structure, depth: number): void {
  for (const box of isoBoxes(data, 'stop')) {
    if (!CONTAINERS.has(box.type)) BOX_READERS[box.type]?.(box.data, structure);
    else if (depth < MAX_DEPTH) readBoxes(box.data, structure, depth + 1);
  }
}

const BOX_READERS: Readonly<Record<string, (data: Buffer, structure: Mp4Structure) => void>> = {
  ftyp: (data, structure) => {
    const brands = data.toString('latin1').match(/[^]{4}/g) ?? [];
    // The second group of four is a version.
    structure.brands = brands.filter((_, i) => i !== 1);
  },
  mvhd: readMovieHeader,
  stsd: readSampleDescriptions,
  meta: readNamedValues,
  '\xa9xyz': (data, structure) => {
    structure.location = data.toString('latin1', 4, 4 + data.readUInt16BE(0));
  },
};

/** Version 1 has 64-bit times. A time of 0 is a writer that did not know. */
function readMovieHeader(data: Buffer, structure: Mp4Structure): void {
  const wide = data.readUInt8(0) === 1;
  const time = (at: number): number => (wide ? Number(data.readBigUInt64BE(at)) : data.readUInt32BE(at));
  structure.created = toDate(time(4));
  structure.modified = toDate(time(wide ? 12 : 8));
  const scale = data.readUInt32BE(wide ? 20 : 12);
  const units = time(wide ? 24 : 16);
  if (scale > 0 && units > 0) structure.duration = units / scale;
}

function toDate(seconds: number): Date | undefined {
  const date = new Date((seconds - EPOCH_DIFFERENCE) * 1000);
  return seconds === 0 || Number.isNaN(date.getTime()) ? undefined : date;
}

const VIDEO_CODINGS =
  /^(avc[1-4]|hvc1|hev1|vp0[89]|av01|mp4v|s263|H26\d|jpeg|mjp[ab]|ap[cn4][hnsx]|SVQ\d|rle |dvh[1e]|encv)/;

function readSampleDescriptions(data: Buffer, structure: Mp4Structure): void {
  for (const { type, data: entry } of isoBoxes(data.subarray(8), 'stop')) {
    if (VIDEO_CODINGS.test(type)) {
      structure.hasVideo = true;
      structure.width ??= entry.readUInt16BE(24);
      structure.height ??= entry.readUInt16BE(26);
      structure.videoCompressor ??= entry.toString('utf8', 43, 43 + Math.min(31, entry.readUInt8(42))) || undefined;
    } else if (/^(mp4a|samr|sawb|alac|ac-3|ec-3|Opus|fLaC|sowt|twos|lpcm|in24|ulaw|alaw|\.mp3|enca)/.test(type)) {
      structure.hasAudio = true;
      structure.channels ??= entry.readUInt16BE(16);
      structure.sampleRate ??= entry.readUInt16BE(24);
    }
  }
}

/** In QuickTime `meta` holds boxes; in MP4 four bytes of version and flags stand in front of them. */
function readNamedValues(data: Buffer, structure: Mp4Structure): void {
  const inside = data.readUInt32BE(0) === 0 ? data.subarray(4) : data;
  let keys: string[] = [];
  for (const { type, data: content } of isoBoxes(inside, 'stop')) {
    if (type === 'keys') keys = [...isoBoxes(content.subarray(8), 'stop')].map((key) => key.data.toString('utf8'));
    if (type === 'ilst' && keys.length > 0) readItems(content, keys, structure);
  }
}

function readItems(list: Buffer, keys: readonly string[], structure: Mp4Structure): void {
  for (const item of isoBoxes(list, 'stop')) {
    const key = keys[Buffer.from(item.type, 'latin1').readUInt32BE(0) - 1];
    const value = [...isoBoxes(item.data, 'stop')].find((box) => box.type === 'data')?.data;
    if (key === undefined || value?.readUInt32BE(0) !== TEXT_VALUE) continue;
    const text = value.toString('utf8', 8);
    structure.named.push([key, text]);
    if (key === LOCATION_KEY) structure.location = text;
  }
}
