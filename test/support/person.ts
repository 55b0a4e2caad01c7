import { execFile, type SpawnOptions } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { PROGRAM, runCrawler, startCrawler, type Finished, type RunningCrawler } from './crawler-process.js';

export interface Where {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Somebody who uses the program at home: in a home folder of their own, without --config_dir, without our variables. */
export class Person {
  /** Resolved, since the program names folders as the system does. */
  readonly home: string;

  constructor(name = 'crawler-home-') {
    this.home = realpathSync(mkdtempSync(join(tmpdir(), name)));
  }

  types(args: readonly string[], where: Where = {}): Promise<Finished> {
    return runCrawler(args, this.#options(where));
  }

  starts(args: readonly string[], where: Where = {}): RunningCrawler {
    return startCrawler(args, this.#options(where));
  }

  /** Runs a command in a shell at home, such as one that the program has printed. */
  async pastes(command: string): Promise<string> {
    const script = `crawler() { '${process.execPath}' '${PROGRAM}' "$@"; }; ${command}`;
    const options = { cwd: this.home, env: this.environment({}) };
    const { stdout } = await promisify(execFile)('bash', ['-c', script], options);
    return stdout;
  }

  path(name: string): string {
    return join(this.home, name);
  }

  /** A file at home, with the folders above it. */
  writes(name: string, text = 'The lighthouse at the harbour.'): string {
    const file = this.path(name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  writesJob(name: string, yaml: string): string {
    return this.writes(`.crawler/${name}/_settings.yaml`, yaml);
  }

  /** What is in the config directory. */
  jobs(): readonly string[] {
    return existsSync(this.path('.crawler')) ? readdirSync(this.path('.crawler')) : [];
  }

  leaves(): void {
    rmSync(this.home, { recursive: true, force: true });
  }

  #options({ cwd = this.home, env = {} }: Where): SpawnOptions {
    return { cwd, env: this.environment(env) };
  }

  environment(env: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
    const ours = Object.keys(process.env).filter((name) => /^(?:FS)?CRAWLER_|^FS_JAVA_OPTS$/.test(name));
    const without = Object.fromEntries(ours.map((name) => [name, undefined]));
    return { ...process.env, ...without, HOME: this.home, USERPROFILE: this.home, ...env };
  }
}
