import { CrawlerError } from '../../../base/errors.js';
import type { FormatContext, FormatInput } from '../../format.js';
import { decompressRtf } from '../../containers/outlook/compressed-rtf.js';
import { readTnef, type TnefAttachment, type TnefMessage } from './tnef-message.js';

/**
 * `winmail.dat`: what Outlook puts into a mail beside its plain text, when it believes that the receiver is Outlook too.
 * The body comes as compressed RTF, seldom as HTML; attachments are files or messages of the same format.
 */
export async function extract(input: FormatInput, context: FormatContext): Promise<void> {
  const bytes = Buffer.from(input.bytes.buffer, input.bytes.byteOffset, input.bytes.byteLength);
  const message = readTnef(bytes);
  if (message === undefined) throw new CrawlerError('corrupt', `[${input.name}] does not begin like a TNEF message.`);
  if (message.truncated) context.warn('The message ends early; attachments may be missing.');
  writeProperties(message, context);
  await writeBody(message, context);
  for (const attachment of message.attachments) {
    if (context.full) return;
    await writeAttachment(attachment, context);
  }
}

function writeProperties(message: TnefMessage, context: FormatContext): void {
  context.meta('dc:title', message.subject);
  context.meta('dc:subject', message.subject);
  context.meta('dc:creator', message.senderName);
  context.meta('Message-From', message.senderName);
  context.meta('Message:From-Name', message.senderName);
  context.meta('Message:From-Email', message.senderAddress);
  context.meta('dcterms:created', message.sentAt);
}

async function writeBody(message: TnefMessage, context: FormatContext): Promise<void> {
  if (message.compressedRtf !== undefined) {
    const rtf = decompressRtf(message.compressedRtf);
    if (rtf !== undefined) {
      context.countBytes(rtf.length);
      return context.embedded({ name: 'message.rtf', bytes: rtf, mediaType: 'application/rtf' });
    }
    context.warn('The body cannot be decompressed.');
  }
  if (message.html !== undefined) {
    return context.embedded({ name: '', bytes: message.html, mediaType: 'text/html', printName: false });
  }
  if (message.text !== undefined) context.write(`${message.text}\n`);
}

async function writeAttachment(attachment: TnefAttachment, context: FormatContext): Promise<void> {
  if (attachment.message !== undefined) {
    await context.embedded({
      name: attachment.name,
      bytes: attachment.message,
      mediaType: 'application/vnd.ms-tnef',
    });
  } else if (attachment.content !== undefined) {
    await context.embedded({ name: attachment.name, bytes: attachment.content });
  }
}
