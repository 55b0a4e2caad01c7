// Every document of an index as a line of JSON: node examples/library/export-index.mjs folder [config directory]
// Run index-and-search.mjs first: an index is only read here.
import { once } from 'node:events';
import { openIndex } from 'document-crawler';

const [folder = './examples/documents', configDir = '.example'] = process.argv.slice(2);

// `| head` has read enough.
process.stdout.on('error', () => process.exit());

const index = await openIndex(folder, { configDir });
try {
  for await (const { id, source } of index.documents()) {
    // A slow reader slows the export down, and nothing piles up in memory.
    if (!process.stdout.write(`${JSON.stringify({ id, file: source.file, path: source.path })}\n`)) {
      await once(process.stdout, 'drain');
    }
  }
} finally {
  await index.close();
}
