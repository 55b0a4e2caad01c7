import { utimesSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { clockCheck, watchCheck } from '../../../src/operations/doctor/crawl-checks.js';
import { memoryCheck } from '../../../src/operations/doctor/machine-checks.js';
import { jobFolderCheck, rootCheck } from '../../../src/operations/doctor/storage-checks.js';
import { settingOrigins } from '../../../src/operations/doctor/settings-checks.js';
import { InspectedTree } from '../../support/inspected-tree.js';

let tree: InspectedTree;

beforeEach(() => {
  tree = new InspectedTree();
});
afterEach(() => tree.dispose());

describe('doctor', () => {
  test('files dated in the future tell of a wrong clock', async () => {
    const path = tree.file('a.txt');
    const later = new Date(Date.now() + 3_600_000);
    utimesSync(path, later, later);
    tree.file('b.txt');
    await tree.run();
    const check = tree.withCatalog((catalog) => clockCheck(catalog, Date.now()));
    expect(check).toMatchObject({ status: 'warning' });
    expect(check.text).toContain('files dated later: 1');
    expect(clockCheck(undefined, Date.now()).status).toBe('ok');
    expect(clockCheck(undefined, 0).status).toBe('broken');
  });

  test('an empty root is a warning, a missing one is broken', async () => {
    expect(await rootCheck(tree.place())).toMatchObject({ status: 'warning' });
    tree.file('a.txt');
    expect(await rootCheck(tree.place())).toMatchObject({ status: 'ok' });
    tree.set(`fs.url=${tree.root}/nowhere`);
    expect(await rootCheck(tree.place())).toMatchObject({ status: 'broken' });
    tree.set('fs.url=');
    expect(await rootCheck(tree.place())).toMatchObject({ status: 'skipped' });
  });

  test('a job folder that does not exist yet is judged by the one that will hold it', () => {
    const check = jobFolderCheck(tree.place());
    expect(check.status).toBe('ok');
    expect(check.text).toContain(`will be made in [${tree.directory}]`);
  });

  test('a watch that exceeds the limit of the kernel is reported beforehand', async () => {
    expect(watchCheck(tree.place(), undefined).status).toBe('skipped');
    tree.set('fs.watch=true', 'fs.provider=ftp', 'server.hostname=host');
    expect(watchCheck(tree.place(), undefined).status).toBe('warning');
    tree.set('fs.watch=true');
    tree.file('a.txt');
    await tree.run();
    expect(tree.withCatalog((catalog) => watchCheck(tree.place(), catalog)).text).toMatch(/folders 1;|no inotify/);
  });

  test('extraction processes that together may take more than there is are a warning', () => {
    tree.set('extractor.processes=1000', 'extractor.limits.memory=100gb');
    expect(memoryCheck(tree.place().settings).status).toBe('warning');
  });

  test('every setting has an origin, and secrets have no value', () => {
    tree.settings('fs:', '  update_rate: 3m', 'engine:', '  api_key: s3cr3t');
    const origins = new Map(settingOrigins(tree.loaded()).map((each) => [each.setting, each]));
    expect(origins.get('fs.update_rate')).toMatchObject({ value: '3m', origin: '_settings.yaml:2' });
    expect(origins.get('fs.url')).toMatchObject({ value: tree.root, origin: '--set' });
    expect(origins.get('fs.watch')).toMatchObject({ value: 'false', origin: 'default' });
    expect(origins.get('engine.api_key')).toMatchObject({ value: '(secret)', origin: '_settings.yaml:4' });
  });
});
