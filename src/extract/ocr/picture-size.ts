/** Smaller pictures are rules, bullets and icons. */
const SHORTEST_SIDE = 16;
const FEWEST_PIXELS = 2_500;
/** A scan of an A0 sheet at 300 dpi has 140 million. OCR needs four bytes for each. */
const MOST_PIXELS = 150_000_000;

/** Whether a picture of this size in pixels can contain text. */
export function isWorthReading(width: number, height: number): boolean {
  return Math.min(width, height) >= SHORTEST_SIDE && width * height >= FEWEST_PIXELS;
}

export function isTooLargeToRead(width: number, height: number): boolean {
  return width * height > MOST_PIXELS;
}
