import type { FormatContext, FormatExtractor, FormatInput } from '../../../format.js';
import { UnpackedBytes, unpackedName } from '../unpacked.js';
import { unpackXz } from './xz-reader.js';

/** Xz: one member, named as the file without its suffix. */
export const xzExtractor: FormatExtractor = {
  name: 'xz',
  mediaTypes: ['application/x-xz'],
  async extract(input: FormatInput, context: FormatContext): Promise<void> {
    const unpacked = new UnpackedBytes(context);
    unpacked.addAll(unpackXz(input.bytes));
    await unpacked.handOn(unpackedName(input.name));
  },
};
