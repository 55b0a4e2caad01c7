import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CrawlerError } from '../../../src/base/errors.js';
import { type LoadedSettings, loadSettings, type SettingsSources } from '../../../src/settings/load-settings.js';

/** A config directory in a temporary folder, with one job whose settings are loaded from real files. */
export class JobFolder {
  readonly configDir = mkdtempSync(join(tmpdir(), 'crawler-settings-'));
  readonly job = 'my_job';

  path(name: string): string {
    return join(this.configDir, this.job, name);
  }

  write(name: string, text: string): string {
    const path = this.path(name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  load(sources: Partial<SettingsSources> = {}): LoadedSettings {
    return loadSettings({
      configDir: this.configDir,
      job: this.job,
      env: {},
      overrides: [],
      fsJavaOpts: undefined,
      ...sources,
    });
  }

  /** Loads a `_settings.yaml` with this text. */
  loadYaml(text: string, sources: Partial<SettingsSources> = {}): LoadedSettings {
    this.write('_settings.yaml', text);
    return this.load(sources);
  }

  /** The lines of the error that loading this `_settings.yaml` gives, without the heading. */
  problemsOf(text: string, sources: Partial<SettingsSources> = {}): readonly string[] {
    return problemsOf(() => this.loadYaml(text, sources));
  }

  remove(): void {
    rmSync(this.configDir, { recursive: true, force: true });
  }
}

export function problemsOf(load: () => unknown): readonly string[] {
  const [heading, ...problems] = messageOf(load).split('\n- ');
  if (!heading?.startsWith('Can not load settings.')) throw new Error(`Another message was expected: ${heading ?? ''}`);
  return problems;
}

export function messageOf(load: () => unknown): string {
  try {
    load();
  } catch (error) {
    if (error instanceof CrawlerError && error.code === 'settings_invalid') return error.message;
    throw error;
  }
  throw new Error('The settings were accepted.');
}
