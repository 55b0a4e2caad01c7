// The first five minutes, as one command: crawl the documents of this folder once, then search them.
// Every command is printed before it runs, so that it can be repeated by hand from this folder. The job lives in a config
// directory of its own (.example), which may be removed at any time: nothing is left in your home folder.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const steps = [
  ['examples/documents', '--loop', '1'],
  ['search', 'examples/documents', 'lighthouse', '--size', '5'],
  ['search', 'examples/documents', '"lamp oil"', '--size', '3'],
];

for (const step of steps) {
  const words = ['bin/crawler.js', ...step, '--config_dir', '.example'];
  console.log(`\n$ node ${words.map((word) => (word.includes(' ') ? `'${word}'` : word)).join(' ')}`);
  const { status } = spawnSync(process.execPath, words, {
    stdio: 'inherit',
    cwd: fileURLToPath(new URL('..', import.meta.url)),
  });
  if (status !== 0) process.exit(status ?? 1);
}
console.log('\nNow try it on a folder of your own: node bin/crawler.js ~/Documents --rest');
