import type { IAudioMetadata, ILyricsTag } from 'music-metadata';

/** What the tags of a recording say, in one form for all families of tags. */
export interface MediaTags {
  readonly title: string | undefined;
  readonly artist: string | undefined;
  readonly albumArtist: string | undefined;
  readonly composer: string | undefined;
  readonly album: string | undefined;
  /** A year or a date, as it stands in the file. */
  readonly date: string | undefined;
  readonly genre: string | undefined;
  /** `3`, or `3/12` with the number of tracks. */
  readonly track: string | undefined;
  readonly disc: string | undefined;
  readonly comments: readonly string[];
  readonly copyright: string | undefined;
  readonly description: string | undefined;
  readonly lyrics: readonly string[];
  /** The program that made the file. */
  readonly tool: string | undefined;
  readonly keywords: readonly string[];
}

export function toMediaTags({ common, format, native }: IAudioMetadata): MediaTags {
  const tags = new NativeTags(native);
  return {
    title: clean(common.title),
    artist: clean(common.artist),
    albumArtist: tags.either(common.albumartist, 'ALBUM_ARTIST'),
    composer: tags.either(joined(common.composer), 'COMPOSER'),
    album: tags.either(common.album, 'ALBUM'),
    date: tags.text('TYER', 'TYE') ?? tags.either(common.date ?? common.year, 'DATE'),
    genre: joined(common.genre),
    track: tags.text('TRCK', 'TRK', 'TRACKNUMBER', 'WM/TrackNumber', 'PART_NUMBER') ?? ofTotal(common.track),
    disc: tags.text('TPOS', 'TPA', 'DISCNUMBER', 'WM/PartOfSet') ?? ofTotal(common.disk),
    comments: comments(tags),
    copyright: tags.either(common.copyright, 'COPYRIGHT'),
    description: tags.either(joined(common.description), 'DESCRIPTION'),
    lyrics: (common.lyrics ?? []).map(lyricText),
    tool: clean(common.encodedby) ?? clean(common.encodersettings) ?? clean(format.tool),
    keywords: common.keywords ?? [],
  };
}

/** The tags under the names of their family. Matroska puts the kind of thing that a tag is about in front. */
class NativeTags {
  readonly #tags: readonly { readonly family: string; readonly id: string; readonly value: unknown }[];

  constructor(native: IAudioMetadata['native']) {
    this.#tags = Object.entries(native).flatMap(([family, tags]) =>
      tags.map(({ id, value }) => ({ family, id: id.replace(/^(track|album|movie|episode|season):/, ''), value })),
    );
  }

  /** The value that all families share, or the first tag of a name that the library does not know. */
  either(value: string | number | undefined, ...ids: readonly string[]): string | undefined {
    return clean(value?.toString()) ?? this.text(...ids);
  }

  text(...ids: readonly string[]): string | undefined {
    for (const { id, value } of this.#tags) {
      if (ids.includes(id) && (typeof value === 'string' || typeof value === 'number')) return clean(String(value));
    }
    return undefined;
  }

  /** The values of the first family that has any: the others repeat them, cut to 28 characters. */
  values(...ids: readonly string[]): unknown[] {
    const found = this.#tags.filter(({ id }) => ids.includes(id));
    return found.filter(({ family }) => family === found[0]?.family).map(({ value }) => value);
  }
}

/** ID3v2 comments have a language and a description: `eng - about\ntext`. */
function comments(tags: NativeTags): string[] {
  const values = tags.values('COMM', 'COM', 'comment', 'COMMENT', '©cmt', 'ICMT', 'ANNO', 'Comment', 'Description');
  return values.flatMap((value) => {
    if (typeof value === 'string') return clean(value) ?? [];
    if (typeof value !== 'object' || value === null) return [];
    const { language, descriptor, text } = value as Readonly<Record<string, unknown>>;
    const name = clean(language) === undefined ? '' : `${clean(language) ?? ''} - `;
    const about = clean(descriptor);
    return clean(`${name}${about === undefined ? '' : `${about}\n`}${clean(text) ?? ''}`) ?? [];
  });
}

function lyricText(lyrics: ILyricsTag): string {
  return clean(lyrics.text) ?? lyrics.syncText.map((line) => line.text).join('\n');
}

function joined(values: readonly string[] | undefined): string | undefined {
  return clean(values?.join(', '));
}

function ofTotal(position: { readonly no: number | null; readonly of: number | null }): string | undefined {
  if (position.no === null) return undefined;
  return position.of === null ? String(position.no) : `${position.no}/${position.of}`;
}

function clean(text: unknown): string | undefined {
  return typeof text === 'string' ? text.replaceAll('\0', '').trim() || undefined : undefined;
}
