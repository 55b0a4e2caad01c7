import { describe, expect, test } from '@jest/globals';
import { languageOf } from '../../../../src/extract/language/language.js';

describe('the language of a text', () => {
  test.each([
    ['This file contains some words.', 'en'],
    ['Ce fichier contient quelques mots.', 'fr'],
    ['Diese Datei enthält ein paar Worte.', 'de'],
    ['Este archivo contiene algunas palabras.', 'es'],
    ['Этот файл содержит несколько слов.', 'ru'],
    ['このファイルにはいくつかの単語が含まれています。', 'ja'],
    [
      'This file contains some words.\n\nCe fichier contient quelques mots.\n\nDiese Datei enthält ein paar Worte.\n',
      'fr',
    ],
  ])('%s', async (text, language) => {
    expect(await languageOf(text)).toBe(language);
  });

  test.each(['', 'foo bar', '12345 67890 !!! ???', 'a'])('is not told for %j', async (text) => {
    expect(await languageOf(text)).toBeUndefined();
  });
});
