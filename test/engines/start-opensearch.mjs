/**
 * A real OpenSearch for tests, from its published jars: no container, no installation, only Maven and a JDK (17 or newer).
 * The jars are fetched once (jar-cache.mjs), and an archive of their classes is made. By hand: node test/engines/start-opensearch.mjs HOME [PORT [key=value …]]
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { clearTimeout, setTimeout } from 'node:timers';
import { fileURLToPath } from 'node:url';
import { jarCache } from './jar-cache.mjs';

const recipe = join(dirname(fileURLToPath(import.meta.url)), 'opensearch');
const source = join(recipe, 'OpenSearchNode.java');
const cache = jarCache(`opensearch-${digestOf(join(recipe, 'pom.xml'))}`);
const READY_WITHIN_MS = 240_000;
const OLDEST_JAVA = 17;
/** For a server that lives for a minute: half the processor time until it is ready. */
const SHORT_LIVED = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];
const FLAGS = [...SHORT_LIVED, '-Xms256m', '-Xmx512m', '-Dorg.apache.logging.log4j.level=ERROR'];

/** What is missing on this machine for startOpenSearch, or undefined. */
export function missingForOpenSearch() {
  const compiler = spawnSync(tool('javac'), ['-version'], { encoding: 'utf8' });
  const major = Number(/javac (\d+)/.exec(`${compiler.stdout ?? ''}${compiler.stderr ?? ''}`)?.[1] ?? 0);
  if (major < OLDEST_JAVA) return `a JDK of version ${OLDEST_JAVA} or newer`;
  if (existsSync(join(cache, 'lib'))) return undefined;
  return spawnSync('mvn', ['-version']).status === 0 ? undefined : 'Maven';
}

/**
 * Starts a node whose data live in `home`, and waits until it answers. A second start with the same home and port brings
 * the same index back.
 */
export async function startOpenSearch({ home, port = 0, settings = {} }) {
  const { classPath, archive } = prepareNode(fetchJars());
  const pairs = Object.entries(settings).map(([key, value]) => `${key}=${value}`);
  // An archive of another Java is passed over, which it would say on its output.
  const flags = [...FLAGS, `-XX:SharedArchiveFile=${archive}`, '-Xlog:disable', '-cp', classPath];
  const child = spawn(tool('java'), [...flags, 'OpenSearchNode', home, String(port), ...pairs], { stdio: 'pipe' });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const boundPort = await readyPort(child, ended);
  return {
    url: `http://127.0.0.1:${boundPort}`,
    port: boundPort,
    /** Ends at once, as a power cut does. */
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    /** Ends in good order. */
    async stop() {
      child.stdin.end();
      await ended;
    },
    /** Stands still without closing a connection, until `resume`. */
    pause: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
  };
}

function tool(name) {
  return process.env.JAVA_HOME ? join(process.env.JAVA_HOME, 'bin', name) : name;
}

/** Runs that start at the same time may all download; the first one to finish keeps its folder. */
function fetchJars() {
  const lib = join(cache, 'lib');
  if (existsSync(lib)) return lib;
  mkdirSync(cache, { recursive: true });
  const part = mkdtempSync(join(cache, 'part-'));
  const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${part}`, '-DincludeScope=runtime'];
  const run = spawnSync('mvn', ['-B', '-q', '-f', join(recipe, 'pom.xml'), ...goal], { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`Maven could not fetch OpenSearch: ${run.stdout}${run.stderr}`);
  try {
    renameSync(part, lib);
  } catch (error) {
    if (!existsSync(lib)) throw error;
    rmSync(part, { recursive: true });
  }
  return lib;
}

/**
 * Compiles the node, and lets Java write down the classes of its start in the form in which it maps them into memory: each start
 * takes half the processor time, and the suites make a dozen of them.
 */
function prepareNode(jars) {
  const folder = join(cache, `node-${digestOf(source)}`);
  const node = join(folder, 'node.jar');
  const archive = join(folder, 'classes.jsa');
  const classPath = [node, join(jars, '*')].join(delimiter);
  if (existsSync(archive)) return { classPath, archive };
  mkdirSync(folder, { recursive: true });
  const part = mkdtempSync(join(folder, 'part-'));
  run('javac', ['-d', join(part, 'classes'), '-cp', join(jars, '*'), source]);
  run('jar', ['--create', '--file', join(part, 'node.jar'), '-C', join(part, 'classes'), '.']);
  // The archive is of these paths.
  if (!existsSync(node)) renameSync(join(part, 'node.jar'), node);
  const written = join(part, 'classes.jsa');
  run('java', [
    ...FLAGS,
    `-XX:ArchiveClassesAtExit=${written}`,
    '-Xlog:disable',
    '-cp',
    classPath,
    'OpenSearchNode',
    join(part, 'home'),
    '0',
  ]);
  renameSync(written, archive);
  rmSync(part, { recursive: true });
  return { classPath, archive };
}

function run(name, args) {
  const { status, stdout, stderr } = spawnSync(tool(name), args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (status !== 0) throw new Error(`${name} ended with ${status}: ${stdout}${stderr}`);
}

function digestOf(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 8);
}

function readyPort(child, ended) {
  let log = '';
  child.stderr.on('data', (chunk) => (log = (log + chunk).slice(-4000)));
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`OpenSearch was not ready within ${READY_WITHIN_MS / 1000} s: ${log}`));
    }, READY_WITHIN_MS);
    createInterface(child.stdout).on('line', (line) => {
      const port = /^READY (\d+)$/.exec(line)?.[1];
      if (port !== undefined) {
        clearTimeout(timer);
        resolve(Number(port));
      }
    });
    void ended.then((code) => {
      clearTimeout(timer);
      reject(new Error(`OpenSearch ended with ${code} before it was ready: ${log}`));
    });
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [home, port = '0', ...pairs] = process.argv.slice(2);
  const settings = Object.fromEntries(pairs.map((pair) => pair.split('=')));
  const engine = await startOpenSearch({ home, port: Number(port), settings });
  console.log(`READY ${engine.url} (ends with Ctrl-C)`);
}
