// A search index of a folder: node examples/library/index-and-search.mjs folder words…
// What it keeps is in the folder .example of the current directory, and may be removed at any time.
import { crawl, openIndex } from 'document-crawler';

const [folder = 'examples/documents', ...words] = process.argv.slice(2);
// A place with a separator is a folder; one without would be the name of a job.
const place = folder.includes('/') ? folder : `./${folder}`;
const configDir = '.example';

const crawling = await crawl(place, {
  configDir,
  settings: { fs: { excludes: ['*/~*', '*.tmp'], index_folders: false } },
  onDocument: ({ state, path, problem }) => {
    if (problem !== undefined) console.log(`${state} ${path}: ${problem.message}`);
  },
});
const { indexed, removed, elapsedMs } = await crawling.done;
console.log(`${indexed} documents indexed and ${removed} removed in ${Math.round(elapsedMs)} ms`);

const index = await openIndex(place, { configDir });
try {
  const { total, hits } = await index.search(words.join(' ') || 'lighthouse', { size: 3 });
  console.log(`${total} documents found`);
  for (const { source, highlight } of hits) {
    console.log(`${source.path.real}\n  ${(highlight.content?.[0] ?? '').replace(/\s+/g, ' ')}`);
  }
} finally {
  await index.close();
}
