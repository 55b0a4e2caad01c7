/**
 * A header or footer of a sheet: one string in which `&L`, `&C` and `&R` start the left, middle and right part. Text
 * without such a start is in the middle. Other codes (`&P` page, `&"Arial"` font) stay as they are.
 */
const places = ['L', 'C', 'R'] as const;

export function headerFooterText(text: string): string {
  const parts: Record<string, string> = {};
  let place = 'C';
  for (const piece of text.split(/(&[LCR])/)) {
    if (/^&[LCR]$/.test(piece)) place = piece.charAt(1);
    else parts[place] = (parts[place] ?? '') + piece;
  }
  return places
    .map((each) => parts[each] ?? '')
    .filter((each) => each !== '')
    .join('\t');
}
