// The load of bench-rest.mjs, in a process of its own so that the callers cost the service nothing but CPU. It is told over
// IPC what to do and answers with what it measured. Requests are built before the clock starts and written to bare sockets: with
// Node's HTTP client a caller would take as much of the shared cores as the service does for the request.
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { makeTexts } from './text-tree.mjs';

const BOUNDARY = 'bench-boundary-7d31';
const TAIL = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
const tasks = { uploads, empty, large, idle, release, probe, stop };
const held = [];
let probing = false;

process.on('message', ({ number, task, options }) => {
  tasks[task](options).then(
    (result) => process.send({ answered: number, result }),
    (error) => process.send({ answered: number, error: String(error) }),
  );
});
process.on('disconnect', () => process.exit());

/** `count` uploads by `clients` at a time: texts of 2 KB, or one file under many names. */
async function uploads({ url, clients, count, prefix, path }) {
  const contents = path === undefined ? makeTexts(count, 2048) : [readFileSync(path)];
  const ending = path === undefined ? '.txt' : path.slice(path.lastIndexOf('.'));
  const { hostname, port, host, pathname } = new URL(`${url}/_document`);
  const requests = Array.from({ length: count }, (_, at) => {
    const body = [head(`${prefix}-${at}${ending}`), Buffer.from(contents[at % contents.length]), TAIL];
    const length = body.reduce((sum, part) => sum + part.length, 0);
    const lines = Object.entries({ host, ...headers(length) }).map(([name, value]) => `${name}: ${value}\r\n`);
    return Buffer.concat([Buffer.from(`POST ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n`), ...body]);
  });
  const latencies = [];
  const failures = [];
  let next = 0;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      const connection = new Connection(connect(Number(port), hostname));
      while (next < count) {
        const bytes = requests[next++];
        const began = performance.now();
        const fault = await connection.ask(bytes);
        latencies.push(performance.now() - began);
        if (fault !== undefined) failures.push(fault);
      }
      connection.end();
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  return { seconds, perSecond: count / seconds, failures, p99: p99(latencies) };
}

/** Requests without a body, one after the other: what a request costs that brings nothing. */
async function empty({ url, count }) {
  const { hostname, port, host, pathname } = new URL(`${url}/_document`);
  const request = Buffer.from(`POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 0\r\n\r\n`);
  const connection = new Connection(connect(Number(port), hostname));
  const start = performance.now();
  for (let at = 0; at < count; at += 1) {
    const fault = await connection.ask(request);
    if (fault?.includes('neither a content type nor a body') !== true) throw new Error(fault ?? 'It was taken.');
  }
  connection.end();
  return { seconds: (performance.now() - start) / 1000 / count };
}

/** One upload of many bytes of text, sent as fast as the service takes it. */
async function large({ url, bytes }) {
  const line = 'A line of a very long log, told over and over until the disk is full of it.\n';
  const block = Buffer.from(line.repeat(Math.ceil(1_000_000 / line.length)).slice(0, 1_000_000));
  const first = head('large.txt');
  const start = performance.now();
  const length = first.length + bytes + TAIL.length;
  const sent = request(`${url}/_document`, { method: 'POST', headers: headers(length) });
  const fault = answerOf(sent);
  sent.write(first);
  for (let left = bytes; left > 0; left -= block.length) {
    if (!sent.write(left < block.length ? block.subarray(0, left) : block)) await once(sent, 'drain');
  }
  sent.end(TAIL);
  return { fault: await fault, seconds: (performance.now() - start) / 1000 };
}

/** Connections that never send anything. */
async function idle({ url, connections }) {
  const { hostname, port } = new URL(url);
  for (let at = 0; at < connections; at += 1) {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    held.push(socket);
    await once(socket, 'connect');
  }
  return held.length;
}

async function release() {
  const open = held.filter((socket) => !socket.destroyed && socket.readyState === 'open').length;
  for (const socket of held.splice(0)) socket.destroy();
  return Promise.resolve(open);
}

/** Asks for the status a hundred times a second until `stop`. */
async function probe({ url }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const latencies = [];
  probing = true;
  while (probing) {
    const began = performance.now();
    const sent = request(`${url}/_crawler/status`, { agent });
    const fault = answerOf(sent);
    sent.end();
    if ((await fault) === undefined) latencies.push(performance.now() - began);
    else throw new Error(`The status was answered with ${await fault}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  agent.destroy();
  return { count: latencies.length, p99: p99(latencies), most: Math.max(...latencies) };
}

async function stop() {
  probing = false;
  return Promise.resolve(true);
}

/** A connection that is kept open, with one request at a time on it. Answers must have a `content-length`. */
class Connection {
  #socket;
  #received = '';
  #answered = () => undefined;

  constructor(socket) {
    this.#socket = socket.setNoDelay();
    socket.on('data', (chunk) => this.#receive(chunk.toString('latin1')));
    socket.on('error', (error) => this.#answered(error.message));
    socket.on('close', () => this.#answered('the connection was closed'));
  }

  /** Resolves with what is wrong, undefined when all went well. */
  ask(bytes) {
    return new Promise((resolve) => {
      this.#answered = resolve;
      this.#socket.write(bytes);
    });
  }

  end() {
    this.#socket.destroy();
  }

  #receive(text) {
    this.#received += text;
    const head = this.#received.indexOf('\r\n\r\n');
    if (head === -1) return;
    const length = Number(/^content-length: *(\d+)/im.exec(this.#received.slice(0, head))?.[1]);
    const answer = this.#received.slice(head + 4);
    if (answer.length < length) return;
    this.#received = '';
    this.#answered(faultOf(answer));
  }
}

/** Undefined when the answer says that all went well. */
function answerOf(sent) {
  return new Promise((resolve) => {
    sent.on('error', (error) => resolve(error.message));
    sent.on('response', (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', (error) => resolve(error.message));
      response.on('end', () => {
        resolve(faultOf(Buffer.concat(chunks).toString()));
      });
    });
  });
}

function faultOf(answer) {
  return answer.includes('"ok":true') && !answer.includes('"warning"') ? undefined : answer.slice(0, 300);
}

function headers(length) {
  return { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, 'content-length': length };
}

function head(name) {
  return Buffer.from(
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n` +
      'Content-Type: application/octet-stream\r\n\r\n',
  );
}

function p99(values) {
  return values.sort((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0;
}
