import { sniffDelimiter } from './sniff-delimiter.js';
import { writeTable } from './write-table.js';
import type { FormatContext, FormatInput } from '../../format.js';
import { readText } from '../../containers/charset/read-text.js';

/**
 * Text as it is: plain text, source code, Markdown, logs, settings, subtitles, calendars. `text/plain` that turns out to be
 * a table (columns separated by the same character, row after row) is one.
 */
export async function extract(input: FormatInput, context: FormatContext): Promise<void> {
  const text = await readText(input, context);
  if (input.mediaType === 'text/plain') {
    const delimiter = sniffDelimiter(text.beginning);
    if (delimiter !== undefined) {
      await writeTable(text, delimiter, context);
      return;
    }
  }
  for await (const piece of text.pieces()) {
    context.write(piece);
    if (context.full) return;
  }
  context.write('\n');
}
