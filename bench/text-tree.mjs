// Deterministic trees of text files of 1-4 KB with a natural distribution of words.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export function makeTextTree(root, { files, perFolder, seed = 42 }) {
  const { random, text } = textMaker(seed);
  for (let at = 0; at < files; at += 1) {
    const folder = join(root, `folder-${Math.floor(at / perFolder)}`);
    if (at % perFolder === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `file-${at}.txt`), text(1000 + random() * 3000));
  }
}

/** Texts of one length, without files. */
export function makeTexts(count, characters, seed = 42) {
  const { text } = textMaker(seed);
  return Array.from({ length: count }, () => text(characters).slice(0, characters));
}

/** The same words and texts for the same seed. A word comes as often as in the texts. */
export function textMaker(seed = 42) {
  const random = randomSeries(seed);
  const words = vocabulary(random);
  const word = () => words[Math.floor(random() * random() * words.length)];
  return {
    random,
    word,
    text(characters) {
      let text = '';
      while (text.length < characters) text += word() + (random() < 0.1 ? '.\n' : ' ');
      return text;
    },
  };
}

function vocabulary(random) {
  return Array.from({ length: 20_000 }, () => {
    const length = 3 + Math.floor(random() * 7);
    return Array.from({ length }, () => 'abcdefghijklmnoprstuvwz'[Math.floor(random() * 23)]).join('');
  });
}

function randomSeries(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
