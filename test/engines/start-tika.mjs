/**
 * A real Tika server for tests and benches, from its published jar: no installation, only Maven and Java (17 or newer).
 * The jar is fetched once (jar-cache.mjs). By hand: node test/engines/start-tika.mjs [PORT]
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { jarCache } from './jar-cache.mjs';

export const TIKA_VERSION = '3.3.2';
const cache = jarCache(`tika-${TIKA_VERSION}`);
const READY_WITHIN_MS = 240_000;
const OLDEST_JAVA = 17;
/** For a server that lives for a minute, and for the one that it starts itself: half the processor time until it is ready. */
const SHORT_LIVED = { JAVA_TOOL_OPTIONS: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC' };

/** What is missing on this machine for startTika, or undefined. */
export function missingForTika() {
  const java = spawnSync(tool('java'), ['-version'], { encoding: 'utf8' });
  const major = Number(/version "(\d+)/.exec(`${java.stdout ?? ''}${java.stderr ?? ''}`)?.[1] ?? 0);
  if (major < OLDEST_JAVA) return `Java ${OLDEST_JAVA} or newer`;
  if (existsSync(join(cache, 'lib'))) return undefined;
  return spawnSync('mvn', ['-version']).status === 0 ? undefined : 'Maven';
}

/**
 * Starts a server and waits until it answers. `watched` is the usual way: a parent process that starts the server again when
 * it dies; without it there is one process, which is ready sooner. `livesLong` compiles as Java does by default, for benches.
 */
export async function startTika({ port = 0, watched = false, livesLong = false, heapMb } = {}) {
  const jar = fetchJar();
  const boundPort = port === 0 ? await freePort() : port;
  const heap = heapMb === undefined ? [] : [`-Xmx${heapMb}m`];
  const args = [...heap, '-jar', jar, '--host', '127.0.0.1', '--port', String(boundPort)];
  // A group of its own: the watched server is a grandchild, and has to end with the rest.
  const child = spawn(tool('java'), watched ? args : [...args, '--noFork'], {
    stdio: 'pipe',
    detached: true,
    env: { ...process.env, ...(livesLong ? {} : SHORT_LIVED) },
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (log = (log + chunk).slice(-4000)));
  const ended = new Promise((resolve) => child.once('close', resolve));
  const signalAll = (signal) => {
    try {
      process.kill(-child.pid, signal);
    } catch {
      // It has ended already.
    }
  };
  const url = `http://127.0.0.1:${boundPort}`;
  if (!(await isReady(url, child))) {
    signalAll('SIGKILL');
    throw new Error(`Tika was not ready within ${READY_WITHIN_MS / 1000} s: ${log}`);
  }
  return {
    url,
    port: boundPort,
    /** Processes of the server: the watching parent and the one that works, or only the latter. */
    pids: () => [child.pid, ...childrenOf(child.pid)],
    /** Ends at once, as a power cut does. */
    async kill() {
      signalAll('SIGKILL');
      await ended;
    },
    /** Stands still without closing a connection, until `resume`. */
    pause: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
  };
}

function tool(name) {
  return process.env.JAVA_HOME ? join(process.env.JAVA_HOME, 'bin', name) : name;
}

/** Runs that start at the same time may all download; the first one to finish keeps its folder. */
function fetchJar() {
  const lib = join(cache, 'lib');
  if (!existsSync(lib)) {
    mkdirSync(cache, { recursive: true });
    const part = mkdtempSync(join(cache, 'part-'));
    const artifact = `org.apache.tika:tika-server-standard:${TIKA_VERSION}`;
    const goal = ['dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${part}`];
    const run = spawnSync('mvn', ['-B', '-q', ...goal], { encoding: 'utf8' });
    if (run.status !== 0) throw new Error(`Maven could not fetch Tika: ${run.stdout}${run.stderr}`);
    try {
      renameSync(part, lib);
    } catch (error) {
      if (!existsSync(lib)) throw error;
      rmSync(part, { recursive: true });
    }
  }
  return join(lib, `tika-server-standard-${TIKA_VERSION}.jar`);
}

async function isReady(url, child) {
  const until = performance.now() + READY_WITHIN_MS;
  while (performance.now() < until && child.exitCode === null) {
    const version = await fetch(`${url}/version`).then(
      (response) => response.text(),
      () => '',
    );
    if (version.startsWith('Apache Tika')) return true;
    await delay(100);
  }
  return false;
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function childrenOf(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = await startTika({ port: Number(process.argv[2] ?? 0), watched: true });
  process.once('SIGINT', () => void server.kill());
  console.log(`READY ${server.url} (ends with Ctrl-C)`);
}
