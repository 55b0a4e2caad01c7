import type { FormatContext, FormatInput } from '../../../format.js';
import { UnpackedBytes, unpackedName } from '../unpacked.js';
import { unpackXz } from './xz-reader.js';

/** Xz: one member, named as the file without its suffix. */
export async function extract(input: FormatInput, context: FormatContext): Promise<void> {
  const unpacked = new UnpackedBytes(context);
  unpacked.addAll(unpackXz(input.bytes));
  await unpacked.handOn(unpackedName(input.name));
}
