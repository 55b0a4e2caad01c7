import type { FormatContext } from '../../format.js';
import type { MediaFamily } from './media-kinds.js';
import type { MediaTags } from './media-tags.js';
import { formatSingle } from './mpeg-frames.js';

/** The text of a recording: one line for each thing a person would search for, in the order of the peer. */
export function writeMediaLines(
  family: MediaFamily,
  tags: MediaTags | undefined,
  seconds: number | undefined,
  context: FormatContext,
): void {
  const lines = tags === undefined ? [] : LINES[family](tags);
  // Only these families have a duration in the text, each in its own form.
  if (family === 'mpeg' && seconds !== undefined) lines.push(formatSingle(seconds));
  if (family === 'ogg' && seconds !== undefined) lines.push(clockTime(seconds));
  for (const line of lines) if (line !== undefined) context.write(`${line}\n`);
}

type Lines = (string | undefined)[];

const LINES: Readonly<Record<MediaFamily, (tags: MediaTags) => Lines>> = {
  mpeg: taggedLines,
  ogg: taggedLines,
  flac: taggedLines,
  mp4: (tags) => [
    tags.title,
    tags.artist,
    tags.albumArtist,
    tags.composer,
    tags.album,
    tags.date,
    ...tags.comments,
    tags.genre,
    tags.copyright,
    ...tags.keywords,
    ...tags.lyrics,
    tags.description,
  ],
  other: (tags) => [...taggedLines(tags), tags.copyright, tags.description],
};

function taggedLines(tags: MediaTags): Lines {
  const place = [tags.album, tags.track && `track ${tags.track}`, tags.disc && `disc ${tags.disc}`];
  return [
    tags.title,
    tags.artist,
    place.filter(Boolean).join(', ') || undefined,
    tags.date,
    tags.genre,
    ...tags.comments,
    tags.composer,
    ...tags.lyrics,
  ];
}

/** `00:03:25.40` */
function clockTime(seconds: number): string {
  const hundredths = Math.round(seconds * 100);
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  const [hours, minutes, rest] = [hundredths / 360_000, (hundredths / 6000) % 60, (hundredths / 100) % 60];
  return `${two(hours)}:${two(minutes)}:${two(rest)}.${two(hundredths % 100)}`;
}
