// npm run bench:sources [-- --files 5000] [-- --only firstCrawl,unchanged,memory]
//
// Crawls over FTP and SFTP on this machine, against the local crawl of the same tree in the same run. An unchanged tree
// must be listed only: the servers count the files that are opened. Medians of three; servers that are not installed are
// skipped.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { median, report, reportAtLeast, runCrawler } from './measure.mjs';
import { findProgram, startFtp, startSsh } from './source-servers.mjs';

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '5000' },
    many: { type: 'string', default: '100000' },
    only: { type: 'string', default: 'firstCrawl,unchanged,memory' },
  },
});
const BYTES = 10_000;
const work = mkdtempSync(join(tmpdir(), 'crawler-bench-'));
chmodSync(work, 0o755);
const wanted = new Set(values.only.split(','));
const tree = join(work, 'tree');
const servers = [];

console.log(`${cpus().length} cores; ${values.files} files of ${BYTES} bytes`);
try {
  makeFiles(tree, Number(values.files), BYTES);
  const sources = { local: undefined, ...(await startServers()) };
  if (wanted.has('firstCrawl') || wanted.has('unchanged')) await crawls(sources);
  if (wanted.has('memory')) await memory(sources);
} finally {
  for (const { stop } of servers) stop();
  rmSync(work, { recursive: true, force: true });
}

async function startServers() {
  const [proftpd, sshd] = [findProgram('proftpd'), findProgram('sshd')];
  const started = {};
  if (proftpd !== undefined) started.ftp = await startFtp(proftpd, join(work, 'ftp'), work);
  if (sshd !== undefined) started.ssh = await startSsh(sshd, join(work, 'ssh'));
  servers.push(...Object.values(started));
  return started;
}

/** First crawls and unchanged rescans, of each source. */
async function crawls(sources) {
  const first = {};
  const again = {};
  for (const [source, server] of Object.entries(sources)) {
    first[source] = await median(3, (at) => crawl(source, server, tree, `first-${at}`));
    report(`first crawl, ${source}`, first[source].seconds, undefined, ' s');
    if (source !== 'local') {
      const ratio = first.local.seconds / first[source].seconds;
      reportAtLeast(`first crawl, ${source}: speed against local`, ratio, 0.5);
    }
    const openedBefore = server?.opened() ?? 0;
    again[source] = await median(3, (at) => crawl(source, server, tree, `first-${at}`));
    report(`unchanged, ${source}`, again[source].seconds, undefined, ' s');
    if (server !== undefined) report(`unchanged, ${source}: files opened`, server.opened() - openedBefore, 0);
  }
}

/** Peak memory of all processes, with few files and with many. */
async function memory(sources) {
  const many = join(work, 'many');
  makeFiles(many, Number(values.many), 200);
  for (const [source, server] of Object.entries(sources)) {
    if (server === undefined) continue;
    const few = await crawl(source, server, tree, 'memory-few');
    const all = await crawl(source, server, many, 'memory-many');
    report(`peak memory, ${source}, ${values.files} files`, few.peakMb, undefined, ' MB');
    report(`peak memory, ${source}, ${values.many} files: more than that by`, all.peakMb - few.peakMb, 150, ' MB');
  }
}

function crawl(source, server, root, name) {
  const config = join(work, `config-${source}`);
  const job = join(config, name);
  mkdirSync(job, { recursive: true });
  const settings = {
    name,
    fs: { url: root, provider: source },
    ...(server === undefined ? {} : { server: { hostname: '127.0.0.1', ...server.settings } }),
  };
  writeFileSync(join(job, '_settings.json'), JSON.stringify(settings));
  return runCrawler([name, '--loop', '1', '--config_dir', config]);
}

/** Text files of one length, a hundred in a folder. */
function makeFiles(root, files, bytes) {
  for (let at = 0; at < files; at += 1) {
    const folder = join(root, `folder-${Math.floor(at / 100)}`);
    if (at % 100 === 0) mkdirSync(folder, { recursive: true });
    const line = `This is file number ${at}, and this is a line of it.\n`;
    writeFileSync(join(folder, `file-${at}.txt`), line.repeat(Math.ceil(bytes / line.length)).slice(0, bytes));
  }
}
