/**
 * Recognised text without the lines that the text of the page contains already, word for word: a scan often lies behind
 * the text that was once recognised in it.
 */
export function withoutRepeats(recognised: string, text: string): string {
  const known = ` ${words(text)} `;
  const lines = recognised.split('\n').filter((line) => {
    const own = words(line);
    return own === '' || !known.includes(` ${own} `);
  });
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function words(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
}
