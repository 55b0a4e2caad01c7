import type { FormatContext, FormatInput } from '../../format.js';
import { readText } from '../../containers/charset/read-text.js';
import { sniffDelimiter } from './sniff-delimiter.js';
import { writeTable } from './write-table.js';

/**
 * Tables as text. A file that is only called so, and has no regular columns, is plain text; one with tabs keeps its type, as
 * in Tika.
 */
export async function extract(input: FormatInput, context: FormatContext): Promise<void> {
  const text = await readText(input, context);
  const delimiter = sniffDelimiter(text.beginning);
  if (delimiter !== undefined) {
    await writeTable(text, delimiter, context);
    return;
  }
  const type = input.mediaType === 'text/tab-separated-values' ? input.mediaType : 'text/plain';
  context.contentType(`${type}; charset=${text.charset}`);
  for await (const piece of text.pieces()) {
    context.write(piece);
    if (context.full) return;
  }
  context.write('\n');
}
