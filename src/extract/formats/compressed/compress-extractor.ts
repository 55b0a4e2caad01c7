import type { FormatContext, FormatInput } from '../../format.js';
import { unpackLzw } from './lzw-reader.js';
import { UnpackedBytes, unpackedName } from './unpacked.js';

/** Files of the old Unix program `compress`: one member, named as the file without its suffix. */
export async function extract(input: FormatInput, context: FormatContext): Promise<void> {
  const unpacked = new UnpackedBytes(context);
  unpacked.addAll(unpackLzw(input.bytes));
  await unpacked.handOn(unpackedName(input.name));
}
