/** How the lines of a recording look, and what is read besides the tags. */
export type MediaFamily = 'mpeg' | 'mp4' | 'ogg' | 'flac' | 'other';

export interface MediaKind {
  readonly family: MediaFamily;
  /** The name that the tag library knows. */
  readonly libraryType: string;
  /** Frames of sound one after the other, without a container that says where what stands. */
  readonly bare?: boolean;
}

const MPEG: MediaKind = { family: 'mpeg', libraryType: 'audio/mpeg', bare: true };
const MP4: MediaKind = { family: 'mp4', libraryType: 'video/mp4' };
const OGG: MediaKind = { family: 'ogg', libraryType: 'audio/ogg' };
const FLAC: MediaKind = { family: 'flac', libraryType: 'audio/flac' };

/** By the name of Tika. */
export const mediaKinds: ReadonlyMap<string, MediaKind> = new Map([
  ['audio/mpeg', MPEG],
  ['audio/x-aac', { family: 'other', libraryType: 'audio/aacp', bare: true }],
  ['audio/mp4', MP4],
  ['video/mp4', MP4],
  ['application/mp4', MP4],
  ['video/quicktime', MP4],
  ['video/x-m4v', MP4],
  ['video/3gpp', MP4],
  ['video/3gpp2', MP4],
  ['audio/vorbis', OGG],
  ['audio/opus', OGG],
  ['audio/speex', OGG],
  ['audio/ogg', OGG],
  ['audio/x-oggflac', OGG],
  ['video/theora', OGG],
  ['video/ogg', OGG],
  ['application/ogg', OGG],
  ['audio/x-flac', FLAC],
  ['audio/vnd.wave', { family: 'other', libraryType: 'audio/vnd.wave' }],
  ['audio/x-wav', { family: 'other', libraryType: 'audio/vnd.wave' }],
  ['audio/x-aiff', { family: 'other', libraryType: 'audio/aiff' }],
  ['audio/x-ms-wma', { family: 'other', libraryType: 'audio/ms-wma' }],
  ['video/x-ms-wmv', { family: 'other', libraryType: 'video/ms-wmv' }],
  ['video/x-ms-asf', { family: 'other', libraryType: 'video/ms-asf' }],
  ['application/x-matroska', { family: 'other', libraryType: 'video/matroska' }],
  ['video/x-matroska', { family: 'other', libraryType: 'video/matroska' }],
  ['audio/x-matroska', { family: 'other', libraryType: 'video/matroska' }],
  ['video/webm', { family: 'other', libraryType: 'video/webm' }],
  ['audio/x-ape', { family: 'other', libraryType: 'audio/ape' }],
  ['audio/x-wavpack', { family: 'other', libraryType: 'audio/wavpack' }],
  ['audio/x-musepack', { family: 'other', libraryType: 'audio/musepack' }],
]);
