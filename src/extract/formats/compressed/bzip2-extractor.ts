import type { FormatContext, FormatInput } from '../../format.js';
import { bunzip } from '../../containers/bzip2/bunzip.js';
import { UnpackedBytes, unpackedName } from './unpacked.js';

/** Bzip2: one member, named as the file without its suffix. */
export async function extract(input: FormatInput, context: FormatContext): Promise<void> {
  const unpacked = new UnpackedBytes(context);
  try {
    bunzip(input.bytes, (piece) => unpacked.add(piece));
  } catch (error) {
    unpacked.fail(error);
  }
  await unpacked.handOn(unpackedName(input.name));
}
