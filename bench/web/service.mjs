// Programs that the web benches talk to: the service, and a bare server of Node beside it.
import { spawn } from 'node:child_process';
import { crawler } from '../measure.mjs';

const children = new Set();

export function killServices() {
  for (const child of children) child.kill('SIGKILL');
}

/** @param args of the command line, before the options */
export async function startService(config, args, settings) {
  const set = ['rest.url=http://127.0.0.1:0', 'fs.update_rate=1h', ...settings];
  const options = ['--rest', '--config_dir', config, ...set.flatMap((each) => ['--set', each])];
  const child = spawn(process.execPath, [crawler, ...args, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.add(child);
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  const printed = (pattern) =>
    new Promise((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(output);
        if (found !== null) resolve(found);
      };
      look();
      child.stdout.on('data', look);
      child.on('close', (code) => reject(new Error(`The service ended with ${code}:\n${output}`)));
    });
  const [, url] = await printed(/Rest service started on \[([^\]]+)\]/);
  return { child, url, printed };
}

export async function stopService({ child }) {
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGTERM');
  const code = await ended;
  children.delete(child);
  if (code !== 0) throw new Error(`The service ended with ${code}`);
}

export async function ask(url) {
  const answer = await (await fetch(url)).json();
  if (answer.ok === false) throw new Error(`${url}: ${answer.message}`);
  return answer;
}

/** A process of its own, as the service is one. */
export async function startBare() {
  const program = `const s = require('node:http').createServer((_, a) => a.end('{"ok":true}')); s.listen(0, '127.0.0.1', () => console.log(s.address().port));`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.add(child);
  const port = await new Promise((resolve) => child.stdout.once('data', (chunk) => resolve(Number(chunk))));
  return { child, url: `http://127.0.0.1:${port}` };
}
