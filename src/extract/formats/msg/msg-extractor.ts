import { openOle } from '../../containers/ole/ole.js';
import type { FormatContext, FormatInput } from '../../format.js';
import { attachments } from './attachments.js';
import { MapiStorage } from './mapi-storage.js';
import { writeMessageBody } from './message-body.js';
import { readMessageHead, writeMessageMetadata, type MessageHead } from './message-metadata.js';
import { readRecipients, type Recipient } from './recipients.js';
import { textDecodingOf } from './text-decoding.js';

/** Outlook messages and templates: subject, sender and recipients, the body once, then attachments. */
export async function extract(input: FormatInput, context: FormatContext): Promise<void> {
  const container = openOle(input.bytes);
  const message = new MapiStorage(container, '');
  const decode = await textDecodingOf(message);
  const head = readMessageHead(message, decode);
  const recipients = readRecipients(container, decode);
  writeMessageMetadata(message, head, recipients, decode, context);
  writeHead(head, recipients, context);
  await writeMessageBody(message, decode, context);
  for (const attachment of attachments(container, decode)) {
    if (context.full) return;
    context.countBytes(attachment.bytes.length);
    await context.embedded(attachment);
  }
}

/** People search for senders and recipients in the text, so they stand there as well, as in Tika. */
function writeHead(head: MessageHead, recipients: readonly Recipient[], context: FormatContext): void {
  context.write(`${head.subject ?? ''}\n`);
  const lines: readonly (readonly [string, string | undefined])[] = [
    ['From', head.from],
    ['To', head.to],
    ['Cc', head.cc],
    ['Bcc', head.bcc],
    ['Recipients', recipients.flatMap((recipient) => recipient.address ?? []).join('; ')],
  ];
  for (const [name, value] of lines) {
    if (value !== undefined && value !== '') context.write(`\t${name}\n\t${value}\n`);
  }
  context.write('\n');
}
