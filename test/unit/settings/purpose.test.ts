import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Purpose } from '../../../src/settings/purpose.js';
import { JobFolder, problemsOf } from './job-folder.js';

let folder: JobFolder;
beforeEach(() => {
  folder = new JobFolder();
});
afterEach(() => folder.remove());

const SSH = 'fs:\n  url: /data\n  provider: ssh\nserver: {hostname: h, username: u, password: "${SECRET}"}\n';
const CLUSTER = 'fs.url: /data\nengine:\n  urls: ["http://a"]\n  api_key: "${SECRET}"\n';

describe('a placeholder without a value', () => {
  test.each<[text: string, purpose: Purpose]>([
    [SSH, 'search'],
    [SSH, 'catalog'],
    [SSH, 'location'],
    [SSH, 'report'],
    [CLUSTER, 'catalog'],
    [CLUSTER, 'location'],
    ['rest.api_keys: "${SECRET}"', 'contents'],
    ['server.password: "${SECRET}"', 'tree'],
    ['engine.api_key: "${SECRET}"', 'search'],
    ['fs.s3.secret_key: "${SECRET}"', 'tree'],
    ['passwords.providers.static.value: "${SECRET}"', 'contents'],
    ['passwords: {provider: static, providers.static.value: "${SECRET}"}', 'tree'],
  ])('does not matter where nobody looks at it: %j for %s', (text, purpose) => {
    const { settings, unresolved } = folder.loadYaml(text, { purpose });
    expect(unresolved).toEqual([
      expect.stringMatching(/^_settings\.yaml:\d: .*the placeholder \$\{SECRET\} has no value/),
    ]);
    expect(settings.name).toBe('my_job');
  });

  test.each<[text: string, purpose: Purpose]>([
    [SSH, 'tree'],
    [SSH, 'run'],
    [CLUSTER, 'search'],
    [CLUSTER, 'tree'],
    ['rest.api_keys: "${SECRET}"', 'run'],
    ['name: "${SECRET}"', 'catalog'],
    ['engine.index: "${SECRET}"', 'search'],
    ['passwords: {provider: static, providers.static.value: "${SECRET}"}', 'contents'],
  ])('is refused where it is needed: %j for %s', (text, purpose) => {
    const problems = problemsOf(() => folder.loadYaml(text, { purpose }));
    expect(problems).toEqual([expect.stringContaining('the placeholder ${SECRET} has no value')]);
  });

  test('leaves a setting at its default meanwhile', () => {
    const { settings } = folder.loadYaml('fs.update_rate: "${RATE}"\nserver.port: "${PORT}"', { purpose: 'catalog' });
    expect([settings.fs.updateRateMs, settings.server.port]).toEqual([900_000, 0]);
  });
});

test('what a setting demands matters only where it is looked at', () => {
  const text =
    'fs.provider: ssh\nserver: {hostname: h, username: u, pem_path: /nope.pem}\ntags.static_meta_filename: /nope';
  expect(folder.loadYaml(text, { purpose: 'search' }).settings.server.pemPath).toBe('/nope.pem');
  expect(problemsOf(() => folder.loadYaml(text, { purpose: 'tree' }))).toHaveLength(2);
});

test('a misprint is refused whatever the settings are for', () => {
  expect(problemsOf(() => folder.loadYaml('server.pasword: x', { purpose: 'search' }))).toEqual([
    '_settings.yaml:1: server.pasword is not a setting. Did you mean server.password?',
  ]);
});
