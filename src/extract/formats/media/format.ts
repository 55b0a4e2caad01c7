import type { Format } from '../../format.js';
import { mediaKinds } from './media-kinds.js';

export const formats: readonly Format[] = [
  {
    name: 'media',
    mediaTypes: [...mediaKinds.keys()],
    needs: 'head',
    facts: {
      title: 'Sound and video',
      library: 'music-metadata and own',
      reads: 'title, artist, album, comments, lyrics, length and kind of the recording',
      omits: 'what is said; subtitles inside of the file',
    },
    load: () => import('./media-extractor.js'),
  },
];
