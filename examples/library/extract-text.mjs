// Text out of documents, without Java and without an index: node examples/library/extract-text.mjs file…
import { CrawlerError, openExtractor } from 'document-crawler';

const extractor = await openExtractor({ limits: { timeMs: 20_000 } });
try {
  // All at once: the extractor gives each process one after the other.
  await Promise.all(process.argv.slice(2).map(show));
} finally {
  await extractor.close();
}

async function show(file) {
  try {
    const { text, contentType, metadata, members, problem } = await extractor.extract(file);
    const title = metadata['dc:title']?.[0] ?? 'no title';
    console.log(`${file}: ${contentType}, ${title}, ${text.length} characters, ${members.length} parts`);
    if (problem !== undefined) console.log(`  ${problem.reason}: ${problem.message}`);
  } catch (error) {
    if (!(error instanceof CrawlerError)) throw error;
    console.log(`${error.code}: ${error.message}`);
  }
}
