import type { FormatContext } from '../../format.js';
import { writeMailPart } from './mail-body.js';
import { writeMailHeaders } from './mail-headers.js';
import { readMessage } from './mime-message.js';

/** Headers become metadata, the body is written once, attachments follow. */
export async function writeMail(bytes: Buffer, context: FormatContext): Promise<void> {
  const message = readMessage(withoutAppleFrame(bytes));
  writeMailHeaders(message, context);
  await writeMailPart(message, context);
}

/** Apple Mail stores the length of the message on a line of its own, then the message, then a property list. */
function withoutAppleFrame(bytes: Buffer): Buffer {
  const length = /^(\d{1,12}) *\r?\n/.exec(bytes.subarray(0, 20).toString('latin1'));
  if (length === null) return bytes;
  const start = length[0].length;
  return bytes.subarray(start, start + Number(length[1]));
}
