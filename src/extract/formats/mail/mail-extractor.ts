import type { FormatContext, FormatInput } from '../../format.js';

/** Internet mail (`.eml`), web pages saved as one (`.mhtml`), and single messages of Apple Mail (`.emlx`). */
export async function extract(input: FormatInput, context: FormatContext): Promise<void> {
  const { writeMail } = await import('./mail-message.js');
  await writeMail(Buffer.from(input.bytes.buffer, input.bytes.byteOffset, input.bytes.byteLength), context);
}
