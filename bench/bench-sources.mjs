// npm run bench:sources [-- --files 5000] [-- --only crawls,memory] [-- --sources ftp,ssh] [-- --rounds 3]
//
// Crawls over FTP and SFTP on this machine, against the local crawl of the same tree in the same run. An unchanged tree
// must be listed only: nobody may read its files any more, so a crawl that opened one would fail. Medians; servers that are
// not installed are skipped.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { median, report, runCrawler } from './measure.mjs';
import { findProgram, startFtp, startSsh } from './source-servers.mjs';

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '5000' },
    many: { type: 'string', default: '100000' },
    only: { type: 'string', default: 'crawls,memory' },
    sources: { type: 'string', default: 'ftp,ssh' },
    rounds: { type: 'string', default: '3' },
  },
});
const BYTES = 10_000;
const PER_FOLDER = 100;
const ROUNDS = Number(values.rounds);
const work = mkdtempSync(join(tmpdir(), 'crawler-bench-'));
chmodSync(work, 0o755);
const wanted = new Set(values.only.split(','));
const servers = [];

console.log(`${cpus().length} cores, load ${loadavg()[0].toFixed(1)}; ${values.files} files of ${BYTES} bytes`);
try {
  const sources = { local: undefined, ...(await startServers()) };
  if (wanted.has('crawls')) await crawls(sources);
  if (wanted.has('memory')) await memory(sources);
} finally {
  for (const { stop } of servers) stop();
  rmSync(work, { recursive: true, force: true });
}

async function startServers() {
  const names = values.sources.split(',');
  const proftpd = names.includes('ftp') ? findProgram('proftpd') : undefined;
  const sshd = names.includes('ssh') ? findProgram('sshd') : undefined;
  const started = {};
  if (proftpd !== undefined) started.ftp = await startFtp(proftpd, join(work, 'ftp'), work);
  if (sshd !== undefined) started.ssh = await startSsh(sshd, join(work, 'ssh'));
  servers.push(...Object.values(started));
  return started;
}

/** First crawls and unchanged rescans, of each source. */
async function crawls(sources) {
  const tree = join(work, 'tree');
  const files = Number(values.files);
  makeFiles(tree, files, BYTES);
  const first = {};
  for (const [source, server] of Object.entries(sources)) {
    first[source] = await median(ROUNDS, (at) => crawl(source, server, tree, `first-${at}`));
    report(`first crawl, ${source}`, first[source].seconds, undefined, ' s');
    if (server !== undefined) {
      report(`first crawl, ${source}: time against local`, first[source].seconds / first.local.seconds, 2);
    }
    if (server === undefined) continue;
    closeFiles(tree, 0o000);
    const listedBefore = server.listed?.();
    const again = await median(ROUNDS, (at) => crawl(source, server, tree, `first-${at}`));
    closeFiles(tree, 0o644);
    report(`unchanged, ${source}, no file opened`, again.seconds, undefined, ' s');
    if (listedBefore === undefined) continue;
    // The root is looked at once more, before the scan.
    const folders = ROUNDS * (Math.ceil(files / PER_FOLDER) + 2);
    report(`unchanged, ${source}: listings for each folder`, (server.listed() - listedBefore) / folders, 1);
  }
}

function closeFiles(root, mode) {
  for (const name of readdirSync(root, { recursive: true }))
    if (name.endsWith('.txt')) chmodSync(join(root, name), mode);
}

/** Peak memory of all processes, with ten times as many files. */
async function memory(sources) {
  const [few, many] = [Number(values.many) / 10, Number(values.many)].map((files) => {
    const root = join(work, `files-${files}`);
    makeFiles(root, files, 200);
    return { root, files };
  });
  for (const [source, server] of Object.entries(sources)) {
    if (server === undefined) continue;
    const small = await crawl(source, server, few.root, 'memory-few');
    const large = await crawl(source, server, many.root, 'memory-many');
    report(`peak memory, ${source}, ${few.files} files`, small.peakMb, undefined, ' MB');
    report(`peak memory, ${source}, ${many.files} files: times that`, large.peakMb / small.peakMb, 1.3);
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

/** Text files of one length, some in each folder. */
function makeFiles(root, files, bytes) {
  for (let at = 0; at < files; at += 1) {
    const folder = join(root, `folder-${Math.floor(at / PER_FOLDER)}`);
    if (at % PER_FOLDER === 0) mkdirSync(folder, { recursive: true });
    const line = `This is file number ${at}, and this is a line of it.\n`;
    writeFileSync(join(folder, `file-${at}.txt`), line.repeat(Math.ceil(bytes / line.length)).slice(0, bytes));
  }
}
