/** What a picture file holds besides its pixels; readers of containers fill it in. */
export class ImageContents {
  width: number | undefined;
  height: number | undefined;
  /** Of each channel, such as `8 8 8`. */
  bitsPerSample: string | undefined;
  samplesPerPixel: number | undefined;
  /** Pictures, frames or pages. */
  count: number | undefined;
  readonly comments: string[] = [];
  /** Named texts, as PNG has them. */
  readonly texts: { readonly keyword: string; readonly text: string }[] = [];
  /** A TIFF structure with the tags of the camera. */
  exif: Buffer | undefined;
  /** IPTC-IIM datasets. */
  iptc: Buffer | undefined;
  /** An XMP packet. */
  xmp: Buffer | undefined;
}

/** Fills in what it finds. Throws RangeError when the file ends early; what was found until then stays. */
export type ContainerReader = (bytes: Buffer, image: ImageContents, inflate: Inflate) => void;

/** Unpacks zlib data under the limits of the document, or returns undefined when it is damaged. */
export type Inflate = (bytes: Buffer) => Buffer | undefined;
