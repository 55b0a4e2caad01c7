// The first five minutes, as one command: crawl the documents of this folder once, then search them.
// Every command is printed before it runs, so that it can be repeated by hand.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const crawler = fileURLToPath(new URL('../bin/crawler.js', import.meta.url));
const steps = [
  ['examples/documents', '--loop', '1'],
  ['search', 'examples/documents', 'lighthouse', '--size', '5'],
  ['search', 'examples/documents', '"lamp oil"', '--size', '3'],
];

for (const step of steps) {
  console.log(`\n$ crawler ${step.map((word) => (word.includes(' ') ? `'${word}'` : word)).join(' ')}`);
  const { status } = spawnSync(process.execPath, [crawler, ...step], {
    stdio: 'inherit',
    cwd: fileURLToPath(new URL('..', import.meta.url)),
  });
  if (status !== 0) process.exit(status ?? 1);
}
console.log('\nNow try it on a folder of your own: node bin/crawler.js ~/Documents --rest');
