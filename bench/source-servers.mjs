// Servers of this machine for bench-sources: ProFTPD and sshd on 127.0.0.1, over one folder. They run without privileges,
// so there are files that they cannot read.
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const PASSWORD = 'bench';

/** Undefined, and a line that says why, when a program is missing. */
export function findProgram(name) {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/local/sbin'];
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (found === undefined) console.log(`[skipped] ${name} is not installed`);
  return found;
}

export async function startFtp(program, home, files) {
  const port = await freePort();
  const { uid, gid, name, group } = account();
  const hash = execFileSync('openssl', ['passwd', '-6', PASSWORD]).toString().trim();
  const at = folderOf(home);
  writeFileSync(at('passwd'), `bench:${hash}:${uid}:${gid}::${files}:/bin/false\n`, { mode: 0o600 });
  writeFileSync(at('group'), `bench:x:${gid}:\n`, { mode: 0o600 });
  const settings = [
    'ServerName bench',
    'DefaultServer on',
    'UseIPv6 off',
    'DefaultAddress 127.0.0.1',
    'SocketBindTight on',
    `Port ${port}`,
    `User ${name}`,
    `Group ${group}`,
    'AuthOrder mod_auth_file.c',
    `AuthUserFile ${at('passwd')}`,
    `AuthGroupFile ${at('group')}`,
    'RequireValidShell off',
    'UseReverseDNS off',
    'WtmpLog off',
    'TransferLog none',
    `PidFile ${at('pid')}`,
    `ScoreboardFile ${at('scoreboard')}`,
    `SystemLog ${at('system.log')}`,
    `ExtendedLog ${at('lists.log')} DIRS`,
  ];
  writeFileSync(at('proftpd.conf'), `${settings.join('\n')}\n`);
  const stop = await start(program, ['-n', '-c', at('proftpd.conf')], port);
  return {
    settings: { port, username: 'bench', password: PASSWORD },
    listed: () => timesIn(at('lists.log'), '"MLSD '),
    stop,
  };
}

export async function startSsh(program, home) {
  const port = await freePort();
  const { uid, gid, name } = account();
  const at = folderOf(home);
  for (const key of ['host', 'user']) execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', at(key)]);
  const settings = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${at('host')}`,
    `AuthorizedKeysFile ${at('user.pub')}`,
    'PidFile none',
    'StrictModes no',
    'UsePAM yes',
    'Subsystem sftp internal-sftp',
  ];
  writeFileSync(at('sshd_config'), `${settings.join('\n')}\n`);
  for (const each of readdirSync(home)) chownSync(at(each), uid, gid);
  const stop = await start(program, ['-D', '-e', '-f', at('sshd_config')], port, { uid, gid });
  return { settings: { port, username: name, pem_path: at('user') }, stop };
}

async function start(program, args, port, options = {}) {
  const child = spawn(program, args, { stdio: 'ignore', detached: true, ...options });
  for (let attempt = 0; !(await answers(port)); attempt += 1) {
    if (attempt === 100 || child.exitCode !== null) throw new Error(`${program} does not start`);
    await delay(50);
  }
  return () => process.kill(-child.pid, 'SIGKILL');
}

function timesIn(file, word) {
  return existsSync(file) ? readFileSync(file, 'utf8').split(word).length - 1 : 0;
}

function answers(port) {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Root serves as nobody. */
function account() {
  const id = userInfo().uid === 0 ? 'nobody' : String(userInfo().uid);
  const [name, , uid, gid] = execFileSync('getent', ['passwd', id]).toString().split(':');
  const group = execFileSync('getent', ['group', gid]).toString().split(':')[0];
  return { name, uid: Number(uid), gid: Number(gid), group };
}

function folderOf(home) {
  mkdirSync(home);
  chmodSync(home, 0o755);
  return (name) => join(home, name);
}
