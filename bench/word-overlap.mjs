// How much of a reference text is in another one, by words in any order. Words are runs of letters and digits; characters of
// scripts without blanks between words count one by one.
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}]+/gu;

export function words(text) {
  const spaced = text.normalize('NFKC').replace(/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/gu, ' $& ');
  return spaced.toLowerCase().match(WORD) ?? [];
}

/** `recall`: the share of the reference that was found; `precision`: the share of what was found that the reference has. */
export function overlap(reference, candidate) {
  const wanted = words(reference);
  const found = words(candidate);
  const left = new Map();
  for (const word of found) left.set(word, (left.get(word) ?? 0) + 1);
  let hits = 0;
  for (const word of wanted) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    hits += 1;
  }
  const share = (all) => (all === 0 ? 1 : hits / all);
  return { words: wanted.length, recall: share(wanted.length), precision: share(found.length) };
}
