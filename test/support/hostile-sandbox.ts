import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What an attempt needs to know of the world outside of the process. */
export interface HostileTargets {
  /** A folder with files that the process must not reach: `secret.txt`, `victim.txt`, `listener.sock`. */
  readonly folder: string;
  readonly parent: number;
  /** A TCP port on which somebody listens, and the name of an abstract socket. */
  readonly port: number;
  readonly abstractSocket: string;
}

/**
 * A program for the pool's processes with one format, whose documents try to escape: the content of a document is its targets as
 * JSON, and its text what each attempt came to: `got`, or the code with which it failed. Written for this, never part of the
 * program.
 */
export function writeHostileSandbox(folder: string): string {
  const module = join(folder, 'hostile-sandbox.mjs');
  const sandbox = pathToFileURL(resolve(process.env['PROGRAM_DIST'] ?? 'dist', 'extract/runtime/sandbox')).href;
  writeFileSync(module, PROGRAM.replaceAll('SANDBOX', sandbox));
  return module;
}

const PROGRAM = `
import * as fs from 'node:fs';
import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import http2 from 'node:http2';
import inspector from 'node:inspector';
import net from 'node:net';
import os from 'node:os';
import v8 from 'node:v8';
import { WASI } from 'node:wasi';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { BrokerMessageReader } from 'SANDBOX/broker-message-reader.js';
import { BrokerOcr } from 'SANDBOX/broker-ocr.js';
import { BrokerRequests } from 'SANDBOX/broker-requests.js';
import { extractDocument } from 'SANDBOX/extract-document.js';
import { serve } from 'SANDBOX/serve.js';

const require = createRequire(import.meta.url);
const here = import.meta.dirname;
const [, , limitsText, from] = process.argv;
const limits = JSON.parse(limitsText);

const connected = (socket) => new Promise((done, fail) => { socket.on('connect', () => { socket.destroy(); done(); }); socket.on('error', fail); });
const event = (emitter, name) => new Promise((done, fail) => { emitter.on(name, done); emitter.on('error', fail); });
const failing = (condition) => { if (!condition) throw Object.assign(new Error('nothing'), { code: 'NOTHING' }); };
const binding = (name) => process.binding(name);
const accepted = (status) => { if (status !== 0) throw Object.assign(new Error('refused'), { code: 'STATUS' + status }); };
const write = (path) => { fs.writeFileSync(path, 'written'); fs.unlinkSync(path); };

const attempts = {
  'read /etc/passwd': () => fs.readFileSync('/etc/passwd'),
  'read another document': ({ folder }) => fs.readFileSync(folder + '/secret.txt'),
  'read with promises': ({ folder }) => fs.promises.readFile(folder + '/secret.txt'),
  'read as a blob': async ({ folder }) => (await fs.openAsBlob(folder + '/secret.txt')).text(),
  'read a link in the package': () => fs.readFileSync(here + '/link-to-secret'),
  'list a folder': ({ folder }) => fs.readdirSync(folder),
  'size of another file': ({ folder }) => fs.statSync(folder + '/secret.txt'),
  'watch a folder': ({ folder }) => fs.watch(folder).close(),
  'copy a file': ({ folder }) => fs.cpSync(folder + '/secret.txt', here + '/copy'),
  'environment of the parent': ({ parent }) => fs.readFileSync('/proc/' + parent + '/environ'),
  'memory of the parent': ({ parent }) => fs.openSync('/proc/' + parent + '/mem', 'r'),
  'files of the parent': ({ parent }) => fs.readdirSync('/proc/' + parent + '/fd'),
  'files through its root': () => fs.readFileSync('/proc/self/root/etc/passwd'),
  'secrets in the environment': () => failing(JSON.stringify(process.env).includes('HOSTILE_SECRET')),
  'reopen a channel for writing': () => fs.openSync('/proc/self/fd/2', 'w'),
  'write a temporary file': () => write('/tmp/hostile-' + process.pid),
  'write into shared memory': () => write('/dev/shm/hostile-' + process.pid),
  'write into the package': () => write(here + '/hostile-file'),
  'write into the folder': ({ folder }) => write(folder + '/hostile-file'),
  'truncate a file': ({ folder }) => fs.truncateSync(folder + '/victim.txt'),
  'change rights': ({ folder }) => fs.chmodSync(folder + '/victim.txt', 0o777),
  'change times': ({ folder }) => fs.utimesSync(folder + '/victim.txt', 1, 1),
  'rename a file': ({ folder }) => fs.renameSync(folder + '/victim.txt', folder + '/victim-2.txt'),
  'delete a file': ({ folder }) => fs.unlinkSync(folder + '/deleted.txt'),
  'make a link': ({ folder }) => fs.symlinkSync('/etc/passwd', folder + '/hostile-link'),
  'make a folder': ({ folder }) => fs.mkdirSync(folder + '/hostile-folder'),
  'write a heap snapshot': ({ folder }) => v8.writeHeapSnapshot(folder + '/hostile.heapsnapshot'),
  'start a program': () => { const { error } = childProcess.spawnSync('/bin/true'); if (error) throw error; },
  'start a program later': () => event(childProcess.spawn(process.execPath, ['-v']), 'exit'),
  'fork': () => event(childProcess.fork(here + '/nothing.mjs', { silent: true }), 'exit'),
  'read in a thread': ({ folder }) => event(new Worker('require("fs").readFileSync(' + JSON.stringify(folder + '/secret.txt') + '); require("worker_threads").parentPort.postMessage(1)', { eval: true, execArgv: [] }), 'message'),
  'connect': ({ port }) => connected(net.connect(port, '127.0.0.1')),
  'listen': () => event(net.createServer().listen(0, '127.0.0.1').unref(), 'listening'),
  'send a datagram': ({ port }) => new Promise((done, fail) => { const socket = dgram.createSocket('udp4'); socket.on('error', fail); socket.send('x', port, '127.0.0.1', (error) => { try { socket.close(); } catch {} error ? fail(error) : done(); }); }),
  'connect to a socket file': ({ folder }) => connected(net.connect(folder + '/listener.sock')),
  'connect to an abstract socket': ({ abstractSocket }) => connected(net.connect('\\0' + abstractSocket)),
  'fetch': ({ port }) => fetch('http://127.0.0.1:' + port).catch((error) => { throw error.cause ?? error; }),
  'http/2': ({ port }) => new Promise((done, fail) => { const session = http2.connect('http://127.0.0.1:' + port); session.on('connect', () => { session.destroy(); done(); }); session.on('error', fail); }),
  'look up a name': () => new Promise((done, fail) => dns.resolve4('localhost', (error) => (error && !['ENOTFOUND', 'ENODATA', 'ESERVFAIL', 'ENOTIMP'].includes(error.code) ? fail(error) : done()))),
  'signal the parent': ({ parent }) => process.kill(parent, 0),
  'signal everybody': () => process.kill(-1, 0),
  'debug the parent': ({ parent }) => process.kill(parent, 'SIGURG'),
  'priority of the parent': ({ parent }) => os.setPriority(parent, os.getPriority(parent)),
  'open an inspector': () => { inspector.open(0, '127.0.0.1'); failing(inspector.url() !== undefined); inspector.close(); },
  'write a report': ({ folder }) => failing(fs.existsSync(process.report.writeReport(folder + '/hostile-report.json'))),
  'open a folder with WASI': ({ folder }) => new WASI({ version: 'preview1', preopens: { '/folder': folder } }),
  'bind spawn_sync': () => accepted(binding('spawn_sync').spawn({ file: '/bin/true', args: ['true'], envPairs: [], stdio: [{ type: 'ignore' }] }).error ?? 0),
  'bind process_wrap': () => accepted(new (binding('process_wrap').Process)().spawn({ file: '/bin/true', args: ['true'], envPairs: [], stdio: [] })),
  'bind tcp_wrap': () => { const { TCP, constants } = binding('tcp_wrap'); accepted(new TCP(constants.SERVER).bind('127.0.0.1', 0)); },
  'bind udp_wrap': () => accepted(new (binding('udp_wrap').UDP)().bind('127.0.0.1', 0, 0)),
  'bind pipe_wrap': () => { const { Pipe, constants } = binding('pipe_wrap'); accepted(new Pipe(constants.SERVER).bind('\\0hostile-' + process.pid)); },
  'load native code': ({ folder }) => process.dlopen({ exports: {} }, folder + '/secret.txt'),
};

// Node 24 ends itself when it is called so.
if (Number(process.versions.node.split('.')[0]) >= 24) delete attempts['bind process_wrap'];
// Not in every version of Node.
const sqlite = (() => { try { return require('node:sqlite'); } catch { return undefined; } })();
if (sqlite !== undefined) {
  attempts['make a database'] = ({ folder }) => new sqlite.DatabaseSync(folder + '/hostile.sqlite').exec('CREATE TABLE t(a)');
  attempts['attach a database'] = ({ folder }) => new sqlite.DatabaseSync(':memory:').exec("ATTACH '" + folder + "/hostile-2.sqlite' AS a; CREATE TABLE a.t(b)");
}
if (fs.globSync !== undefined) attempts['glob a folder'] = ({ folder }) => failing(fs.globSync(folder + '/*').length > 0);
const deeds = {
  /** Threads without end. */
  threads: () => { const all = []; for (;;) all.push(new Worker('setInterval(() => {}, 1e9)', { eval: true })); },
  /** Processes without end, until it is told that there are none. */
  forks: () => { for (let at = 0; at < 50; at++) { const { error } = childProcess.spawnSync(process.execPath, ['-v']); if (error) throw error; } },
  /** Node ends itself, as it does when it runs out of memory. */
  abort: () => process.abort(),
  /** One allocation of so many bytes, all of them written. */
  allocate: ({ bytes }) => Buffer.alloc(bytes, 1).length,
};
const codeOf = (error) => (error?.code === 'ERR_DLOPEN_FAILED' && /file too short|invalid ELF/.test(error.message) ? 'got' : String(error?.code ?? error?.name));
const timeout = () => new Promise((_, fail) => setTimeout(() => fail({ code: 'TIMEOUT' }), 5_000).unref());
const late = [];
process.on('uncaughtException', (error) => late.push(error));

const format = {
  async extract({ bytes }, context) {
    const targets = JSON.parse(Buffer.from(bytes).toString());
    if (targets.deed !== undefined) {
      try {
        context.write('done ' + deeds[targets.deed](targets));
      } catch (error) {
        context.write('failed ' + codeOf(error) + ' ' + error.message);
      }
      return;
    }
    const results = {};
    for (const [name, attempt] of Object.entries(attempts)) {
      try {
        await Promise.race([(async () => attempt(targets))(), timeout()]);
        results[name] = 'got';
      } catch (error) {
        results[name] = codeOf(error);
      }
    }
    context.write(JSON.stringify(results));
  },
};
const findFormat = () => ({ name: 'hostile', needs: 'whole', load: () => Promise.resolve(format) });
const requests = new BrokerRequests();
const reader = from === 'broker' ? new BrokerMessageReader(requests, new BrokerOcr(requests)) : undefined;
serve((request, parts) => extractDocument(request, { limits, findFormat, ...parts }), limits, reader);
`;
