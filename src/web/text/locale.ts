/** How an address asks for the pseudo language. */
export const LANGUAGE = 'lang';
const PSEUDO = 'zz';

/**
 * With `?lang=zz` every word of the pages is longer and has accents: what stays as it was cannot be translated, and what is
 * cut off has too little room.
 */
const isPseudo = new URLSearchParams(location.search).get(LANGUAGE) === PSEUDO;

/** The language parameter of this page as an address carries it on; empty in English. */
export const languageSuffix = isPseudo ? `${LANGUAGE}=${PSEUDO}` : '';

const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ACCENTED = 'åƀçðéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýžÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽ';
const VOWEL = /[aeiou]/;

/** The words of a page as its language has them. */
export function localised<Words extends object>(words: Words): Words {
  return isPseudo ? (pseudo(words) as Words) : words;
}

function pseudo(value: unknown): unknown {
  if (typeof value === 'string') return accented(value);
  if (typeof value === 'function') return (...args: unknown[]) => pseudo(Reflect.apply(value, undefined, args));
  if (Array.isArray(value)) return value.map(pseudo);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, pseudo(each)]));
}

function accented(text: string): string {
  return text.replace(/[a-z]/gi, (sign) => {
    const other = ACCENTED.charAt(PLAIN.indexOf(sign));
    return VOWEL.test(sign) ? other + other : other;
  });
}
