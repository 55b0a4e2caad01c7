import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Trees of text files for tests and benchmarks: the same options give the same names and the same bytes, everywhere.
 *
 * Folders are nested three levels deep at most, with the files spread evenly over them. A text is made of words of a fixed
 * vocabulary, frequent ones and rare ones as in natural language, in sentences and paragraphs, behind a first line that
 * holds a word of its own (`token-000123`), so that a test can search for one file out of many.
 *
 * Texts are cut out of a pool of prepared text, not composed word by word: 100,000 files cost little more than the file
 * system asks for.
 */
export interface TreeOptions {
  readonly files: number;
  readonly folders: number;
  /** Bytes of a file, from and to; the same number twice for files of one size. */
  readonly size?: readonly [from: number, to: number];
  readonly seed?: number;
}

export interface MadeTree {
  /** Relative paths with `/`, in the order they were written. */
  readonly files: readonly string[];
  readonly folders: readonly string[];
  readonly bytes: number;
}

const DEFAULT_SIZE = [1024, 4096] as const;
const FILES_NAMED_LIKE = ['report', 'minutes', 'invoice', 'letter', 'notes', 'plan', 'chart', 'log'] as const;
const FOLDERS_NAMED_LIKE = ['archive', 'harbour', 'office', 'survey', 'weather', 'workshop'] as const;
const POOL_BYTES = 256 * 1024;
const SPACE = 0x20;
/** Longer than any word. */
const MARGIN_BYTES = 64;

export function makeTree(root: string, options: TreeOptions): MadeTree {
  const { files, folders, size = DEFAULT_SIZE, seed = 1 } = options;
  const random = seededRandom(seed);
  const pool = Buffer.from(composeText(random, POOL_BYTES + size[1] + MARGIN_BYTES), 'latin1');
  const folderPaths = folderNames(folders);
  mkdirSync(root, { recursive: true });
  for (const folder of folderPaths) mkdirSync(join(root, folder), { recursive: true });

  const paths: string[] = [];
  let bytes = 0;
  for (let i = 0; i < files; i++) {
    const folder = folderPaths.length === 0 ? '' : `${folderPaths[i % folderPaths.length] ?? ''}/`;
    const path = `${folder}${FILES_NAMED_LIKE[i % FILES_NAMED_LIKE.length] ?? 'file'}-${number(i)}.txt`;
    const length = size[0] + Math.floor(random() * (size[1] - size[0] + 1));
    const content = Buffer.allocUnsafe(length);
    const start = pool.indexOf(SPACE, Math.floor(random() * POOL_BYTES)) + 1;
    pool.copy(content, 0, start);
    content.write(`${tokenOf(i)}\n\n`, 0, 'latin1');
    writeFile(join(root, path), content);
    paths.push(path);
    bytes += length;
  }
  return { files: paths, folders: folderPaths, bytes };
}

/** The word that stands in the file of this number and in no other. */
export function tokenOf(file: number): string {
  return `token-${number(file)}`;
}

function number(value: number): string {
  return String(value).padStart(6, '0');
}

/** `archive-0000/harbour-0001/office-0002`: every folder on the first two levels has up to ten folders in it. */
function folderNames(count: number): string[] {
  const paths: string[] = [];
  for (let i = 0; i < count; i++) {
    const name = `${FOLDERS_NAMED_LIKE[i % FOLDERS_NAMED_LIKE.length] ?? 'folder'}-${String(i).padStart(4, '0')}`;
    const parent = i < 10 ? undefined : paths[Math.floor(i / 10) - 1];
    const fits = parent !== undefined && parent.split('/').length < 3;
    paths.push(fits ? `${parent}/${name}` : name);
  }
  return paths;
}

/** One open, one write, one close: writeFileSync asks the system for more. */
function writeFile(path: string, content: Buffer): void {
  const file = openSync(path, 'w');
  try {
    writeSync(file, content);
  } finally {
    closeSync(file);
  }
}

/** Numbers in [0, 1) that depend on the seed alone (a 32-bit mix of a counter, "mulberry32"). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function composeText(random: () => number, bytes: number): string {
  const words = vocabulary(random);
  const sentences: string[] = [];
  let length = 0;
  while (length < bytes) {
    const count = 5 + Math.floor(random() * 14);
    const text = Array.from({ length: count }, () => chooseWord(words, random)).join(' ');
    const end = random() < 0.15 ? '.\n\n' : '. ';
    const sentence = text.charAt(0).toUpperCase() + text.slice(1) + end;
    sentences.push(sentence);
    length += sentence.length;
  }
  return sentences.join('');
}

interface Vocabulary {
  readonly frequent: readonly string[];
  readonly subject: readonly string[];
  readonly rare: readonly string[];
}

function chooseWord({ frequent, subject, rare }: Vocabulary, random: () => number): string {
  const kind = random();
  // The square favours the first words of the list, which are the most frequent ones of the language.
  if (kind < 0.5) return frequent[Math.floor(random() ** 2 * frequent.length)] ?? 'the';
  const list = kind < 0.88 ? subject : rare;
  return list[Math.floor(random() * list.length)] ?? 'the';
}

const FREQUENT_WORDS =
  'the of and to in a is that for it as was with be by on not at this from are or an have had they which one you were all her she there would their we him been has when who will no more if out so up said what its about than into them can only other time new some could these two may first then do any like my now over such our man me even most made after also did many must before back see through way where get much go well your know should down work year because come people just say each those take day good how long little use under very make world still here both life being never same another while last might great old against off';

const SUBJECT_WORDS =
  'lighthouse harbour quay keeper lantern tide ferry pilot anchor beacon chart ledger invoice contract survey council tender crane warehouse customs cargo manifest mooring pier dredger buoy gale fog visibility barometer logbook inspection maintenance repair budget estimate delivery receipt payment schedule meeting agenda minutes proposal committee signature appendix revision archive fisheries cannery shipyard rope sail engine diesel generator lens prism electricity signal foghorn coastguard rescue training safety regulation permit licence insurance claim premium balance account quarter annual statistics passengers vehicles timetable winter summer storm granite tower staircase paint masonry drawing engineer plumbing heating measurement temperature pressure salinity seagull seal heron mussel herring market price auction';

const SYLLABLES =
  'ba be bo da de di fa fi ga go ha he ka ke la le li lo ma me mi na no pa pe ra re ri ro sa se si ta te ti va ve wa'.split(
    ' ',
  );

/** The rare words are made up, so that no other list of words has them. */
function vocabulary(random: () => number): Vocabulary {
  const syllable = (): string => SYLLABLES[Math.floor(random() * SYLLABLES.length)] ?? 'ba';
  const rareWord = (): string => Array.from({ length: 2 + Math.floor(random() * 3) }, syllable).join('');
  return {
    frequent: FREQUENT_WORDS.split(' '),
    subject: SUBJECT_WORDS.split(' '),
    rare: Array.from({ length: 4000 }, rareWord),
  };
}
