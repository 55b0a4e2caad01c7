import { stripVTControlCharacters } from 'node:util';
import { chmodSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { PROGRAM } from './crawler-process.js';
import { findProgram } from './program.js';
import { CTRL_C, shellInTerminal, type Terminal } from './terminal.js';
import { until } from './misbehaving-sandbox.js';
import { Person } from './person.js';
import type { Step } from './page-steps.js';

/** The address that the pages show. A test takes a free port instead, and `curl` is told which. */
const SHOWN_ADDRESS = '127.0.0.1:8080';

/**
 * Somebody who types the commands of a page at home, in a terminal. The checkout is the current folder, as far as the pages
 * use it (`bin/crawler.js`), and `crawler` is on the PATH.
 */
export class Reader extends Person {
  readonly #running: Terminal[] = [];
  #typed = 0;

  constructor() {
    // A home that is named as people are.
    super('Home of Zoë (2) ');
    symlinkSync(`${process.cwd()}/bin`, this.path('bin'));
    this.#installs('crawler', `exec '${process.execPath}' '${PROGRAM}' "$@"`);
    const curl = findProgram('curl') ?? 'curl';
    this.#installs('curl', `exec '${curl}' -sS "\${@//${SHOWN_ADDRESS}/$(cat '${this.path('.path/address')}')}"`);
    this.writes('.path/address', SHOWN_ADDRESS);
  }

  /** Types a command, and waits for what the page promises. */
  async follows(command: string, step: Step): Promise<{ readonly code: number | null; readonly output: string }> {
    const terminal = this.#types(command, step.in);
    if (step.until === undefined)
      return { code: await terminal.code, output: stripVTControlCharacters(terminal.output()) };
    const { until: text } = step;
    let ended = false;
    void terminal.code.then(() => (ended = true));
    await until(() => ended || text.test(terminal.output()), 60_000);
    if (step.keeps === true) {
      const [, address = SHOWN_ADDRESS] = /Rest service started on \[http:\/\/([^\]]+)\]/.exec(terminal.output()) ?? [];
      writeFileSync(this.path('.path/address'), address);
      this.#running.push(terminal);
      return { code: 0, output: stripVTControlCharacters(terminal.output()) };
    }
    terminal.press(CTRL_C);
    return { code: await terminal.code, output: stripVTControlCharacters(terminal.output()) };
  }

  /** Ends what the page has left running, and gives what did not end well: its exit code, and what it has printed. */
  async endsAll(): Promise<readonly (readonly [code: number | null, output: string])[]> {
    const running = this.#running.splice(0);
    for (const terminal of running) terminal.press(CTRL_C);
    const ended = await Promise.all(running.map(async ({ code, output }) => [await code, output()] as const));
    return ended.filter(([code]) => code !== 0);
  }

  #types(command: string, folder = '.'): Terminal {
    // In a file of its own: what stands in it needs no quotes for `script`, and a shell that is running reads on in it.
    this.#typed += 1;
    const file = this.writes(`.path/command-${this.#typed}`, `${command}\n`);
    const env = {
      ...this.environment({}),
      PATH: `${this.path('.path')}:${process.env['PATH'] ?? ''}`,
      SHELL: '/bin/sh',
    };
    // The port of the pages may be taken here.
    const variables = { CRAWLER_REST_URL: 'http://127.0.0.1:0', NO_COLOR: '1' };
    const options = { cwd: this.path(folder), env: { ...env, ...variables } };
    return shellInTerminal(`exec bash '${file}'`, options);
  }

  #installs(name: string, line: string): void {
    const file = this.writes(`.path/${name}`, `#!/usr/bin/env bash\n${line}\n`);
    chmodSync(file, 0o755);
  }

  reads(name: string): string {
    return readFileSync(this.path(name), 'utf8');
  }
}
