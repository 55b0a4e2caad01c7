// Uses the standalone folder and the content of the container as the ones they are made for do: without any Node on the
// machine, read-only, as a user without rights, with tini as process 1. Of the folder of another machine only the kind of its
// programs is checked.
//   node .ci/check-standalone.mjs <standalone folder>… [<OCI layout>:<tag>]     needs bwrap, setpriv, umoci, and root
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const UID = 10001;
const KILLS = 100;
const folders = process.argv.slice(2).filter((each) => !isImage(each));
const image = process.argv.slice(2).find(isImage);
const work = mkdtempSync(join(tmpdir(), 'crawler-standalone-'));
chmodSync(work, 0o755);
const data = join(work, 'data');
cpSync('examples/documents', data, { recursive: true });

try {
  for (const path of folders.map((each) => resolve(each))) {
    programs(path);
    if (path.endsWith(process.arch)) folder(path);
    console.log(`standalone ok  ${path}`);
  }
  if (image !== undefined) await container(unpacked(image));
} finally {
  rmSync(work, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

/** From a read-only place, through a symbolic link, with no PATH and no HOME. */
function folder(path) {
  const link = join(work, 'crawler');
  symlinkSync(join(path, 'bin', 'crawler'), link);
  const config = ownFolder('config');
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const run = (...args) => {
    const box = [
      '--ro-bind',
      '/',
      '/',
      '--dev',
      '/dev',
      '--proc',
      '/proc',
      '--tmpfs',
      '/var/tmp',
      '--bind',
      work,
      work,
    ];
    return result(asUser([...box, '--clearenv', '--setenv', 'CRAWLER_CONFIG_DIR', config, link, ...args]));
  };
  assert.equal(succeeded(run('--version')).trim(), version);
  assert.match(succeeded(run(data, '--config_dir', config, '--loop', '1')), /indexed \[30\]/);
  assert.match(
    succeeded(run('search', data, 'lighthouse', '--config_dir', config)),
    /lighthouse-keepers-handbook\.pdf/,
  );
}

/** Every compiled program is one for the machine that the folder is named after: the field `e_machine` of its ELF header. */
function programs(path) {
  const machine = path.endsWith('arm64') ? 0xb7 : 0x3e;
  const heads = readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ file, head: readFileSync(file).subarray(0, 20) }))
    .filter(({ head }) => head.toString('latin1', 0, 4) === '\x7fELF');
  // Node and SQLite.
  assert.equal(heads.length, 2);
  for (const { file, head } of heads) assert.equal(head.readUInt16LE(18), machine, file);
}

/** The root file system and what the image says of how to run it. */
function unpacked(name) {
  const bundle = join(work, 'bundle');
  succeeded(result(['umoci', 'unpack', '--image', name, bundle]));
  for (const path of [bundle, join(bundle, 'rootfs')]) chmodSync(path, 0o755);
  const { process: start } = JSON.parse(readFileSync(join(bundle, 'config.json'), 'utf8'));
  assert.deepEqual([start.user.uid, start.user.gid], [UID, UID]);
  return { root: join(bundle, 'rootfs'), start };
}

async function container(image) {
  const config = ownFolder('container-config');
  assert.match(succeeded(result(boxed(image, config, '/data', '--loop', '1'))), /indexed \[30\]/);
  assert.match(
    succeeded(result(boxed(image, config, 'search', '/data', 'lighthouse'))),
    /lighthouse-keepers-handbook\.pdf/,
  );

  const foreign = join(work, 'of-root');
  mkdirSync(foreign);
  const refused = result(boxed(image, foreign, '/data'));
  assert.equal(refused.status, 1);
  assert.match(
    refused.stderr,
    /^The config directory \[\/config\] cannot be used: the user of this process \(uid 10001\) [^\n]*\n$/,
  );

  await signalsAndChildren(image, config);
  console.log('container  ok');
}

/** Sandboxes that are killed leave no zombies, and SIGTERM goes through tini to a clean end. */
async function signalsAndChildren(image, config) {
  const many = join(data, 'many');
  mkdirSync(many);
  // Pages, since small texts need no process.
  for (let at = 0; at < 20_000; at += 1)
    writeFileSync(join(many, `${at}.html`), `<p>Page ${at}. ${'word '.repeat(100)}`);
  const [program, ...args] = boxed(image, config, '/data');
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  let printed = '';
  child.stdout.on('data', (chunk) => (printed += chunk));
  const ended = new Promise((done) => child.on('close', (code, signal) => done({ code, signal })));
  let killed = 0;
  for (let attempt = 0; attempt < 2_000 && killed < KILLS; attempt += 1) {
    for (const { pid } of below(child.pid).filter(({ command }) => command.includes('lib/sandbox.cjs'))) {
      process.kill(pid, 'SIGKILL');
      killed += 1;
    }
    if (/Run #1: .* indexed/.test(printed)) break;
    // Time enough to start again: processes that do not come up are given up.
    await sleep(250);
  }
  assert.ok(killed >= KILLS, `only ${killed} sandboxes were there to be killed`);
  await sleep(500);
  const zombies = below(child.pid).filter(({ state }) => state === 'Z');
  assert.deepEqual(zombies, []);
  const [tini] = below(child.pid).filter(({ command }) => command.startsWith('/usr/bin/tini'));
  process.kill(tini.pid, 'SIGTERM');
  assert.deepEqual(await ended, { code: 0, signal: null });
}

/** As the image says, with the documents at /data and a config directory at /config; everything else is read-only. */
function boxed({ root, start }, config, ...args) {
  const words = [...start.args.slice(0, -1), ...args];
  const env = start.env.flatMap((each) => ['--setenv', ...each.split(/=(.*)/s).slice(0, 2)]);
  const mounts = [
    '--ro-bind',
    root,
    '/',
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--tmpfs',
    '/tmp',
    '--ro-bind',
    data,
    '/data',
  ];
  return asUser([
    ...mounts,
    '--bind',
    config,
    '/config',
    '--clearenv',
    ...env,
    '--unshare-pid',
    '--as-pid-1',
    ...words,
  ]);
}

function asUser(args) {
  const who = ['--reuid', String(UID), '--regid', String(UID), '--clear-groups', '--inh-caps=-all'];
  return ['setpriv', ...who, 'bwrap', '--unshare-user', '--cap-drop', 'ALL', '--die-with-parent', ...args];
}

function isImage(argument) {
  return argument.includes(':');
}

function ownFolder(name) {
  const path = join(work, name);
  mkdirSync(path);
  chownSync(path, UID, UID);
  return path;
}

/** Processes below one, seen from outside. */
function below(pid) {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => describeProcess(name));
  const found = [];
  for (let parents = new Set([pid]); parents.size > 0;) {
    const children = all.filter(({ parent }) => parents.has(parent));
    found.push(...children);
    parents = new Set(children.map((each) => each.pid));
  }
  return found;
}

function describeProcess(pid) {
  try {
    const [, state, parent] = /\) (\w) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return [{ pid: Number(pid), state, parent: Number(parent), command }];
  } catch {
    return [];
  }
}

function result([program, ...args]) {
  return spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1e9 });
}

function succeeded({ status, stdout, stderr }) {
  assert.equal(status, 0, stdout + stderr);
  return stdout;
}
