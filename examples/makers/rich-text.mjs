/** RTF 1.9: characters beyond ASCII as `\uN?`, properties in the info group. */
export function makeRtf({ title, author, subject, keywords, paragraphs }) {
  const info = `{\\info{\\title ${escape(title)}}{\\author ${escape(author)}}{\\subject ${escape(subject)}}{\\keywords ${escape(keywords)}}{\\creatim\\yr2025\\mo11\\dy3\\hr9\\min0}}`;
  const body = paragraphs.map((text) => `\\pard\\f0\\fs22 ${escape(text)}\\par\n`).join('');
  return Buffer.from(
    `{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0\\fswiss Helvetica;}}${info}\n\\pard\\f0\\b\\fs32 ${escape(title)}\\b0\\par\n${body}}\n`,
    'latin1',
  );
}

function escape(text) {
  return text.replace(/[\\{}]/g, '\\$&').replace(/[^\0-\x7f]/g, (character) => `\\u${character.charCodeAt(0)}?`);
}
