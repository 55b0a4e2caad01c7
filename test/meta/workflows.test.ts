import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';

interface Step {
  readonly uses?: string;
  readonly run?: string;
}
interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
}

const FOLDER = join('.github', 'workflows');

describe.each(readdirSync(FOLDER))('the workflow %s', (name) => {
  const workflow = parse(readFileSync(join(FOLDER, name), 'utf8')) as Workflow;
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);

  test('uses actions of others by their commit', () => {
    for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/@[\da-f]{40}$/);
  });

  test('may read, unless a job says more, and never runs for a stranger with rights', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    expect(Object.keys(workflow.on)).not.toContain('pull_request_target');
  });

  test('runs scripts of .ci/ only, so that it can be run anywhere', () => {
    const commands = steps.flatMap(({ run }) => run?.trim().split('\n') ?? []);
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) {
      const script = /^(?:node )?(\.ci\/[\w.-]+)/.exec(command)?.[1] ?? '';
      expect([command, script !== '' && existsSync(script)]).toEqual([command, true]);
    }
  });
});
