import type { FormatContext, FormatExtractor, FormatInput } from '../../format.js';

/** Internet mail (`.eml`), web pages saved as one (`.mhtml`), and single messages of Apple Mail (`.emlx`). */
export const mailExtractor: FormatExtractor = {
  name: 'mail',
  mediaTypes: ['message/rfc822', 'multipart/related', 'message/x-emlx', 'message/news'],
  async extract(input: FormatInput, context: FormatContext): Promise<void> {
    const { writeMail } = await import('./mail-message.js');
    await writeMail(Buffer.from(input.bytes.buffer, input.bytes.byteOffset, input.bytes.byteLength), context);
  },
};
