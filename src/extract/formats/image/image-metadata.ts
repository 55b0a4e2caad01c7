import type { FormatContext } from '../../format.js';
import { CAMERA, PICTURE, POSITION, type ExifTags } from './exif-tags.js';
import type { ImageContents } from './image-contents.js';
import { IPTC, type IptcDatasets } from './iptc-datasets.js';
import type { TiffDirectory } from './tiff-structure.js';
import type { XmpProperties } from './xmp-properties.js';

export interface ImageSources {
  readonly image: ImageContents;
  readonly exif: ExifTags | undefined;
  readonly iptc: IptcDatasets;
  readonly xmp: XmpProperties;
}

/**
 * What a picture says about itself. The same thing may be said four times, in an order of trust: XMP (Unicode, written by
 * programs that know the others), IPTC, the named texts of PNG, EXIF (written by the camera).
 */
export function writeImageMetadata(sources: ImageSources, context: FormatContext): void {
  writeSizes(sources.image, context);
  writeDescription(sources, context);
  if (sources.exif !== undefined) writeExif(sources.exif, context);
  writeDates(sources, context);
  writeFurtherXmp(sources.xmp, context);
}

function writeSizes(image: ImageContents, context: FormatContext): void {
  context.meta('tiff:ImageWidth', image.width);
  context.meta('tiff:ImageLength', image.height);
  context.meta('tiff:BitsPerSample', image.bitsPerSample);
  context.meta('tiff:SamplesPerPixel', image.samplesPerPixel);
  context.meta('imagereader:NumImages', image.count);
}

interface Saying {
  readonly key: string;
  readonly xmp: string;
  readonly iptc: readonly number[];
  readonly text: string;
  readonly exif: number;
}

const SAYINGS: readonly Saying[] = [
  {
    key: 'dc:title',
    xmp: 'dc:title',
    iptc: [IPTC.headline, IPTC.objectName],
    text: 'Title',
    exif: PICTURE.windowsTitle,
  },
  { key: 'dc:creator', xmp: 'dc:creator', iptc: [IPTC.byLine], text: 'Author', exif: PICTURE.artist },
  {
    key: 'dc:description',
    xmp: 'dc:description',
    iptc: [IPTC.caption],
    text: 'Description',
    exif: PICTURE.description,
  },
  { key: 'dc:rights', xmp: 'dc:rights', iptc: [IPTC.copyright], text: 'Copyright', exif: PICTURE.copyright },
];

function writeDescription(sources: ImageSources, context: FormatContext): void {
  const { image, exif, iptc, xmp } = sources;
  for (const saying of SAYINGS) context.meta(saying.key, bestOf(saying, sources));
  context.meta('City', iptc.get(IPTC.city)?.[0]);
  context.meta('Country/Primary Location Name', iptc.get(IPTC.country)?.[0]);
  writeKeywords([...(iptc.get(IPTC.keywords) ?? []), ...(xmp.get('dc:subject') ?? [])], exif, context);
  const comments = [
    ...image.comments,
    textOf(image, 'Comment'),
    exif?.userComment,
    exif?.picture.wideText(PICTURE.windowsComment),
  ];
  for (const comment of new Set(comments)) context.meta('w:Comments', comment?.replaceAll('\0', '').trim());
  for (const { keyword, text } of image.texts) {
    if (!KNOWN_KEYWORDS.has(keyword)) context.meta('Text TextEntry', `keyword=${keyword}, value=${text}`);
  }
}

const KNOWN_KEYWORDS: ReadonlySet<string> = new Set([...SAYINGS.map(({ text }) => text), 'Comment', 'Creation Time']);

function bestOf(saying: Saying, { image, exif, iptc, xmp }: ImageSources): string | undefined {
  const values = xmp.get(saying.xmp);
  return first(
    // Creators are several people; other lists are the same text in several languages.
    saying.key === 'dc:creator' ? values?.join(', ') : values?.[0],
    ...saying.iptc.map((number) => iptc.get(number)?.[0]?.replace(/\r\n?/g, '\n')),
    textOf(image, saying.text),
    saying.exif === PICTURE.windowsTitle ? exif?.picture.wideText(saying.exif) : exif?.picture.text(saying.exif),
  );
}

function textOf(image: ImageContents, keyword: string): string | undefined {
  return image.texts.find((item) => item.keyword === keyword)?.text;
}

function writeKeywords(keywords: readonly string[], exif: ExifTags | undefined, context: FormatContext): void {
  const windows = exif?.picture.wideText(PICTURE.windowsKeywords)?.split(';') ?? [];
  const unique = [...new Set([...keywords, ...windows].map((keyword) => keyword.trim()))].filter(
    (keyword) => keyword !== '',
  );
  for (const keyword of unique) context.meta('dc:subject', keyword);
  // Only the first value of this key is looked at, and it is split at commas.
  context.meta('meta:keyword', unique.join(','));
}

function writeExif({ picture, camera, position }: ExifTags, context: FormatContext): void {
  context.meta('tiff:Make', picture.text(PICTURE.make));
  context.meta('tiff:Model', picture.text(PICTURE.model));
  context.meta('tiff:Software', picture.text(PICTURE.software));
  context.meta('tiff:Orientation', picture.number(PICTURE.orientation));
  context.meta('tiff:XResolution', asDouble(picture.number(PICTURE.xResolution)));
  context.meta('tiff:YResolution', asDouble(picture.number(PICTURE.yResolution)));
  context.meta('tiff:ResolutionUnit', RESOLUTION_UNITS[picture.number(PICTURE.resolutionUnit) ?? 0]);
  context.meta('xmp:Rating', picture.number(PICTURE.rating));
  context.meta('exif:ExposureTime', asDouble(camera.number(CAMERA.exposureTime)));
  context.meta('exif:FNumber', asDouble(camera.number(CAMERA.fNumber)));
  context.meta('exif:FocalLength', asDouble(camera.number(CAMERA.focalLength)));
  context.meta('exif:IsoSpeedRatings', camera.number(CAMERA.isoSpeed));
  const flash = camera.number(CAMERA.flash);
  context.meta('exif:Flash', flash === undefined ? undefined : (flash & 1) === 1);
  context.meta('aux:Lens', camera.text(CAMERA.lensModel));
  writePosition(position, context);
}

const RESOLUTION_UNITS: Readonly<Record<number, string>> = { 1: '(No unit)', 2: 'Inch', 3: 'cm' };

function writePosition(position: TiffDirectory, context: FormatContext): void {
  const latitude = degrees(position.numbers(POSITION.latitude), position.text(POSITION.latitudeReference) === 'S');
  const longitude = degrees(position.numbers(POSITION.longitude), position.text(POSITION.longitudeReference) === 'W');
  if (latitude !== undefined && longitude !== undefined) {
    context.meta('geo:lat', latitude);
    context.meta('geo:long', longitude);
  }
  const altitude = position.number(POSITION.altitude);
  const belowSea = position.number(POSITION.altitudeReference) === 1;
  if (altitude !== undefined) context.meta('geo:alt', belowSea ? -altitude : altitude);
  context.meta('geo:timestamp', satelliteTime(position));
}

/** Unlike the clock of the camera it is in UTC. */
function satelliteTime(position: TiffDirectory): Date | undefined {
  const [, year, month, day] = DATE.exec(position.text(POSITION.date) ?? '') ?? [];
  const [hour, minute, second] = position.numbers(POSITION.time);
  if (year === undefined || second === undefined) return undefined;
  const time = Date.UTC(Number(year), Number(month) - 1, Number(day), hour, minute, Math.floor(second));
  return Number.isNaN(time) ? undefined : new Date(time);
}

/** Degrees, minutes and seconds as one number; six decimals are a tenth of a metre. */
function degrees(parts: readonly number[], negative: boolean): string | undefined {
  const [whole, minutes = 0, seconds = 0] = parts;
  if (whole === undefined) return undefined;
  const value = whole + minutes / 60 + seconds / 3600;
  return String(Number((negative ? -value : value).toFixed(6)));
}

/** Numbers that are fractions keep a decimal even when they are whole, `50.0`. */
function asDouble(value: number | undefined): string | undefined {
  return value === undefined || Number.isInteger(value) ? value?.toFixed(1) : String(value);
}

const DATE = /^(\d{4})[:-](\d{2})[:-](\d{2})/;
const DATE_TIME = /^(\d{4})[:-](\d{2})[:-](\d{2})[ T](\d{2}):(\d{2}):(\d{2})/;

function writeDates({ image, exif, xmp }: ImageSources, context: FormatContext): void {
  const original = localTime(exif?.camera.text(CAMERA.originalTime));
  const modified = localTime(exif?.picture.text(PICTURE.modified));
  context.meta('exif:DateTimeOriginal', original);
  const xmpCreated = xmp.get('xmp:CreateDate')?.[0] ?? xmp.get('photoshop:DateCreated')?.[0];
  context.meta('dcterms:created', first(original, modified, xmpCreated, localTime(textOf(image, 'Creation Time'))));
  context.meta('dcterms:modified', first(modified, xmp.get('xmp:ModifyDate')?.[0]));
}

/** A camera knows its own time, not its time zone: ISO 8601 without one. A date of zeros is an unset clock. */
function localTime(text: string | undefined): string | undefined {
  const match = DATE_TIME.exec(text ?? '');
  if (match === null || match[1] === '0000') return undefined;
  const [, year = '', month = '', day = '', hour = '', minute = '', second = ''] = match;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}`;
}

const WRITTEN_ABOVE: ReadonlySet<string> = new Set([
  'dc:title',
  'dc:creator',
  'dc:description',
  'dc:rights',
  'dc:subject',
]);

/** tiff: and exif: repeat the tags of the camera, in forms of their own. */
function writeFurtherXmp(xmp: XmpProperties, context: FormatContext): void {
  for (const [name, values] of xmp) {
    if (WRITTEN_ABOVE.has(name) || name.startsWith('tiff:') || name.startsWith('exif:')) continue;
    for (const value of values) context.meta(name, value);
  }
}

function first(...values: readonly (string | undefined)[]): string | undefined {
  return values.map((value) => value?.trim()).find((value) => value !== undefined && value !== '');
}
