// Deterministic trees of text files of 1-4 KB with a natural distribution of words.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export function makeTextTree(root, { files, perFolder, seed = 42 }) {
  const random = randomSeries(seed);
  const words = Array.from({ length: 20_000 }, () => {
    const length = 3 + Math.floor(random() * 7);
    return Array.from({ length }, () => 'abcdefghijklmnoprstuvwz'[Math.floor(random() * 23)]).join('');
  });
  for (let at = 0; at < files; at += 1) {
    const folder = join(root, `folder-${Math.floor(at / perFolder)}`);
    if (at % perFolder === 0) mkdirSync(folder, { recursive: true });
    const target = 1000 + random() * 3000;
    let text = '';
    while (text.length < target)
      text += words[Math.floor(random() * random() * 20_000)] + (random() < 0.1 ? '.\n' : ' ');
    writeFileSync(join(folder, `file-${at}.txt`), text);
  }
}

function randomSeries(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
