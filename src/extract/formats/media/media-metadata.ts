import type { IFormat } from 'music-metadata';
import type { FormatContext } from '../../format.js';
import type { MediaFamily } from './media-kinds.js';
import type { MediaTags } from './media-tags.js';
import type { Mp4Structure } from './mp4-structure.js';
import type { MpegStream } from './mpeg-frames.js';

export function writeTags(tags: MediaTags, context: FormatContext): void {
  context.meta('dc:title', tags.title);
  context.meta('dc:creator', tags.artist);
  context.meta('dc:description', tags.description);
  for (const keyword of tags.keywords) context.meta('dc:subject', keyword);
  context.meta('meta:keyword', tags.keywords.join(','));
  context.meta('xmp:CreatorTool', tags.tool);
  context.meta('xmpDM:artist', tags.artist);
  context.meta('xmpDM:albumArtist', tags.albumArtist);
  context.meta('xmpDM:composer', tags.composer);
  context.meta('xmpDM:album', tags.album);
  context.meta('xmpDM:releaseDate', tags.date);
  context.meta('xmpDM:genre', tags.genre);
  context.meta('xmpDM:trackNumber', tags.track);
  context.meta('xmpDM:discNumber', tags.disc);
  context.meta('xmpDM:copyright', tags.copyright);
  for (const comment of tags.comments) context.meta('xmpDM:logComment', comment);
}

const CODECS: readonly { readonly codec: RegExp; readonly name: string; readonly mediaType: string | undefined }[] = [
  { codec: /^Vorbis/, name: 'Vorbis', mediaType: 'audio/vorbis' },
  { codec: /^Opus/, name: 'Opus', mediaType: 'audio/opus' },
  { codec: /^Speex/, name: 'Speex', mediaType: 'audio/speex' },
  { codec: /^FLAC/, name: 'FLAC', mediaType: undefined },
];

export function writeFormat(format: IFormat, family: MediaFamily, context: FormatContext): void {
  writeCodec(format.codec ?? '', family, context);
  context.meta('xmpDM:audioSampleRate', format.sampleRate);
  writeChannels(format.numberOfChannels, context);
  if (family === 'other' && format.bitsPerSample !== undefined && format.lossless === true) {
    context.meta('bits', format.bitsPerSample);
    context.meta('xmpDM:audioSampleType', `${format.bitsPerSample}Int`);
  }
  writeDuration(format.duration, context);
  const picture = format.trackInfo.find(({ video }) => video !== undefined)?.video;
  context.meta('tiff:ImageWidth', picture?.pixelWidth);
  context.meta('tiff:ImageLength', picture?.pixelHeight);
}

function writeCodec(codec: string, family: MediaFamily, context: FormatContext): void {
  const known = CODECS.find((item) => item.codec.test(codec));
  context.meta('xmpDM:audioCompressor', known?.name);
  if (family === 'ogg' && known?.mediaType !== undefined) context.contentType(known.mediaType);
}

export function writeMpeg(stream: MpegStream, context: FormatContext): void {
  context.meta('xmpDM:audioCompressor', 'MP3');
  context.meta('xmpDM:audioSampleRate', stream.sampleRate);
  context.meta('samplerate', stream.sampleRate);
  context.meta('channels', stream.channels);
  context.meta('version', stream.version);
  writeChannels(stream.channels, context);
  context.meta('xmpDM:duration', stream.duration);
}

/** Types of a file by its brands; the first brand is what the file is foremost. */
const BRANDS: readonly { readonly mediaType: string; readonly brands: RegExp }[] = [
  { mediaType: 'audio/mp4', brands: /^(M4A|M4B|F4A|F4B) $/ },
  { mediaType: 'video/3gpp', brands: /^3(ge[67]|gg6|gp[1-6]|gs7)$/ },
  { mediaType: 'video/3gpp2', brands: /^3g2[abc]$/ },
  { mediaType: 'video/x-m4v', brands: /^M4V[ HP]$/ },
  { mediaType: 'video/mp4', brands: /^mp4[12]$/ },
];

export function writeMp4(structure: Mp4Structure, context: FormatContext): void {
  const types = structure.brands.map((brand) => BRANDS.find(({ brands }) => brands.test(brand))?.mediaType);
  const onlySound = structure.hasAudio && !structure.hasVideo;
  const mediaType = onlySound ? 'audio/mp4' : types.find((type) => type !== undefined);
  if (mediaType !== undefined) context.contentType(mediaType);
  if (types[0] === 'audio/mp4') context.meta('xmpDM:audioCompressor', structure.brands[0]?.trim());
  context.meta('dcterms:created', structure.created);
  context.meta('dcterms:modified', structure.modified);
  context.meta('tiff:ImageWidth', structure.width);
  context.meta('tiff:ImageLength', structure.height);
  context.meta('xmpDM:videoCompressor', structure.videoCompressor);
  context.meta('xmpDM:audioSampleRate', structure.sampleRate);
  writeChannels(structure.channels, context);
  writeDuration(structure.duration, context);
  for (const [key, value] of structure.named) context.meta(key, value);
  writeLocation(structure.location ?? '', context);
}

/** ISO 6709: signed latitude, longitude and perhaps altitude, one after the other. */
function writeLocation(text: string, context: FormatContext): void {
  const [latitude, longitude, altitude] = text.match(/[+-]\d+(?:\.\d+)?/g) ?? [];
  if (latitude === undefined || longitude === undefined) return;
  context.meta('geo:lat', Number(latitude));
  context.meta('geo:long', Number(longitude));
  if (altitude !== undefined) context.meta('geo:alt', Number(altitude));
}

function writeChannels(channels: number | undefined, context: FormatContext): void {
  context.meta('xmpDM:audioChannelType', CHANNEL_TYPES[channels ?? 0]);
}

const CHANNEL_TYPES: Readonly<Record<number, string>> = {
  1: 'Mono',
  2: 'Stereo',
  5: '5.1',
  6: '5.1',
  7: '7.1',
  8: '7.1',
};

/** Seconds with at least one and at most two decimals. */
function writeDuration(seconds: number | undefined, context: FormatContext): void {
  if (seconds === undefined || seconds <= 0 || !Number.isFinite(seconds)) return;
  context.meta('xmpDM:duration', seconds.toFixed(2).replace(/0$/, ''));
}
