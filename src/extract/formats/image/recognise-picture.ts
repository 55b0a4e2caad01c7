import type { FormatContext, FormatInput } from '../../format.js';
import { inOrder } from '../../ocr/in-order.js';
import { isTooLargeToRead, isWorthReading } from '../../ocr/picture-size.js';
import type { ImageContents } from './image-contents.js';
import { tiffPages } from './tiff-pages.js';

/**
 * Writes the text that a picture shows. The file is handed over as it is, so only formats count that are read by the picture
 * library below tesseract; camera raws, HEIC, Photoshop and icons are not. Of moving pictures the first one counts, of a
 * TIFF every page.
 */
const READABLE: readonly { readonly start: string; readonly at?: number }[] = [
  { start: '\xff\xd8' },
  { start: '\x89PNG' },
  { start: 'GIF8' },
  { start: 'BM' },
  { start: 'WEBP', at: 8 },
  { start: 'jP  ', at: 4 },
];

/** One picture of the file. */
interface Shown {
  readonly title: string;
  readonly width: number;
  readonly height: number;
  readonly bytes: () => Uint8Array;
}

export async function recognisePicture(
  input: FormatInput,
  image: ImageContents,
  context: FormatContext,
): Promise<void> {
  if (!(await context.ocr.ready())) return;
  // Raw formats of cameras are TIFF as well, but show no page.
  const isTiff = input.mediaType === 'image/tiff';
  const pictures = isTiff ? pagesOf(input) : onePicture(input, image);
  for await (const text of inOrder(recognise(pictures, context), () => context.ocr.atOnce)) {
    if (isTiff) context.page();
    const trimmed = text?.trim() ?? '';
    if (trimmed !== '') context.write(`${trimmed}\n`);
  }
}

function* recognise(pictures: Iterable<Shown>, context: FormatContext): Generator<Promise<string | undefined>> {
  for (const { title, width, height, bytes } of pictures) {
    if (context.full) return;
    const isTooLarge = isTooLargeToRead(width, height);
    if (isTooLarge) context.warn(`${title} is not recognised: ${width} × ${height} pixels are too many.`);
    if (isTooLarge || !isWorthReading(width, height)) yield Promise.resolve(undefined);
    else yield context.ocr.recognise({ title, render: () => ({ bytes: bytes() }) });
  }
}

function* onePicture({ bytes }: FormatInput, { width = 0, height = 0 }: ImageContents): Generator<Shown> {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 16)).toString('latin1');
  const isReadable = READABLE.some(({ start, at = 0 }) => head.startsWith(start, at));
  if (isReadable) yield { title: 'The picture', width, height, bytes: () => bytes };
}

/** A damaged file ends with the last page that can be found: what is missing has been said with the metadata. */
function* pagesOf({ bytes }: FormatInput): Generator<Shown> {
  let number = 0;
  try {
    for (const page of tiffPages(bytes)) {
      number++;
      yield { title: `Page ${number} of the picture`, ...page };
    }
  } catch (error) {
    if ((error as Error).name !== 'RangeError') throw error;
  }
}
