/** The beginning of a text that takes at most so many bytes as UTF-8, cut between two characters. */
export function cutToBytes(text: string, bytes: number): string {
  let kept = '';
  let size = 0;
  for (const character of text) {
    size += Buffer.byteLength(character);
    if (size > bytes) break;
    kept += character;
  }
  return kept;
}
