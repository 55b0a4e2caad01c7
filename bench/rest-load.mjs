// The load of bench-rest.mjs, in a process of its own so that the callers cost the service nothing but CPU. It is told over
// IPC what to do and answers with what it measured. Bodies are built before the clock starts.
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { makeTexts } from './text-tree.mjs';

const BOUNDARY = 'bench-boundary-7d31';
const TAIL = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
const tasks = { uploads, large, idle, release, probe, stop };
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
  const bodies = Array.from({ length: count }, (_, at) =>
    Buffer.concat([head(`${prefix}-${at}${ending}`), Buffer.from(contents[at % contents.length]), TAIL]),
  );
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const latencies = [];
  const failures = [];
  let next = 0;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (next < count) {
        const body = bodies[next++];
        const began = performance.now();
        const fault = await post(`${url}/_document`, agent, body);
        latencies.push(performance.now() - began);
        if (fault !== undefined) failures.push(fault);
      }
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  agent.destroy();
  return { seconds, perSecond: count / seconds, failures, p99: p99(latencies) };
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

function post(url, agent, body) {
  const sent = request(url, { method: 'POST', agent, headers: headers(body.length) });
  const fault = answerOf(sent);
  sent.end(body);
  return fault;
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
        const text = Buffer.concat(chunks).toString();
        resolve(text.includes('"ok":true') && !text.includes('"warning"') ? undefined : text.slice(0, 300));
      });
    });
  });
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
