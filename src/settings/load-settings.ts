import { CrawlerError } from '../base/errors.js';
import { buildSettings, problemWith } from './build-settings.js';
import { completeSettings } from './complete-settings.js';
import type { Environment } from './config-dir.js';
import { EffectiveValues } from './effective-values.js';
import { findKey } from './find-key.js';
import type { JobTraces } from './fscrawler-job.js';
import type { JobSettings } from './job-settings.js';
import { jobDirectory, validJobName } from './jobs.js';
import { Layer } from './layer.js';
import { isLookedAt, type Purpose } from './purpose.js';
import { Report } from './report.js';
import { rowOf } from './setting-table.js';
import { readEnvironment } from './sources/environment.js';
import { type GivenSettings, readGivenSettings } from './sources/given-settings.js';
import { javaSystemProperties, readJavaProperties } from './sources/java-options.js';
import { readOverrides } from './sources/overrides.js';
import { readSettingsFiles } from './sources/settings-files.js';
import { readYamlSettings } from './sources/yaml-settings.js';
import { findWarnings, findProblems } from './validation.js';

export interface SettingsSources {
  readonly configDir: string;
  readonly job: string;
  readonly env: Environment;
  /** `--set key=value`. */
  readonly overrides: readonly string[];
  readonly fsJavaOpts: string | undefined;
  /** The folder of a `crawler ./docs` job. */
  readonly adHocRoot?: string;
  /** Of a program that uses the library: they win over everything else. */
  readonly given?: GivenSettings;
  /** Settings that it does not look at may hold placeholders without a value. Without it: a run, which needs them all. */
  readonly purpose?: Purpose;
}

export interface LoadedSettings {
  readonly settings: JobSettings;
  /**
   * Where the value of a setting was given: `_settings.yaml:12`, `CRAWLER_FS_URL`, `FS_JAVA_OPTS`, `--set`,
   * `command line`, or `default`. Any spelling of the key will do.
   */
  readonly originOf: (path: string) => string;
  /** One line each. */
  readonly warnings: readonly string[];
  /** Placeholders without a value in settings that the purpose does not look at, one line each. */
  readonly unresolved: readonly string[];
  /** Nobody has said anything: no file, no variable, no option. */
  readonly isDefaultOnly: boolean;
}

/**
 * The settings of a job, from the weakest source to the strongest: defaults, `-D` pairs of FS_JAVA_OPTS, variables
 * `FSCRAWLER_…`, variables `CRAWLER_…`, the folder of an ad-hoc job, the job's files, `--set`, what a program gives.
 *
 * Throws `settings_invalid`; the message holds every problem there is, one line each.
 */
export function loadSettings(sources: SettingsSources): LoadedSettings {
  const { configDir, job } = sources;
  if (!validJobName(job)) {
    throw new CrawlerError('settings_invalid', `[${job}] is not a job name: it must be the name of one folder.`);
  }
  const report = new Report();
  const properties = javaSystemProperties(sources.fsJavaOpts);
  const layers = readLayers(sources, properties, report);
  const values = new EffectiveValues(
    layers.map((layer) => layer.values()),
    { configDir, job },
    { environment: sources.env, properties },
  );
  const traces = {
    configDir,
    jobDirectory: jobDirectory(configDir, job),
    speaksOfPeer:
      layers.some((layer) => layer.aliasedAt !== undefined) ||
      Object.keys(sources.env).some((name) => name.startsWith('FSCRAWLER_')),
  };
  const { purpose = 'run' } = sources;
  const { settings, unresolved } = checkedSettings(values, report, { purpose, traces });
  warnAboutEmbeddedIndex(layers, values, report);
  return {
    settings,
    originOf(path) {
      const found = findKey(path.split('.'));
      return (found.kind === 'setting' ? values.originOf(found.row.path) : undefined) ?? 'default';
    },
    warnings: report.warnings,
    unresolved,
    isDefaultOnly: values.isEmpty,
  };
}

function readLayers(
  sources: SettingsSources,
  properties: ReadonlyMap<string, string>,
  report: Report,
): readonly Layer[] {
  const { configDir, job, env, adHocRoot, given = {} } = sources;
  return [
    (layer: Layer) => readJavaProperties(properties, layer, report),
    (layer: Layer) => readEnvironment('FSCRAWLER_', env, layer, report),
    (layer: Layer) => readEnvironment('CRAWLER_', env, layer, report),
    (layer: Layer) => {
      if (adHocRoot !== undefined) layer.takeLiteral('fs.url', adHocRoot, 'command line');
    },
    (layer: Layer) => {
      const files = readSettingsFiles(jobDirectory(configDir, job), report);
      for (const file of files) readYamlSettings(file, layer, report);
    },
    (layer: Layer) => readOverrides(sources.overrides, layer, report),
    (layer: Layer) => readGivenSettings(given, layer, report),
  ].map((read) => {
    const layer = new Layer(report);
    read(layer);
    return layer;
  });
}

function checkedSettings(
  values: EffectiveValues,
  report: Report,
  { purpose, traces }: { readonly purpose: Purpose; readonly traces: JobTraces },
): Pick<LoadedSettings, 'settings' | 'unresolved'> {
  const { settings, broken, unresolved } = buildSettings(values, report);
  const passedOver: string[] = [];
  for (const { row, origin, sentence } of unresolved) {
    if (isLookedAt(row.path, purpose, settings)) report.problem(origin, problemWith(row, undefined, sentence));
    else passedOver.push(`${origin}: ${problemWith(row, undefined, sentence)}`);
  }
  for (const { paths, sentence } of findProblems(settings, broken)) {
    const [path] = paths;
    if (!isLookedAt(path, purpose, settings)) continue;
    const raw = values.originOf(path) === undefined ? undefined : values.raw(path);
    report.problem(originOfAny(paths, values), problemWith(rowOf(path), raw, sentence));
  }
  report.throwIfProblems(traces.jobDirectory);
  for (const { paths, sentence } of findWarnings(settings)) {
    report.warning(originOfAny(paths, values), `${paths[0]}: ${sentence}`);
  }
  return { settings: deepFrozen(completeSettings(settings, traces)), unresolved: passedOver };
}

/** Where the first of these settings was given that was given at all. */
function originOfAny(paths: readonly string[], values: EffectiveValues): string {
  return paths.map((path) => values.originOf(path)).find((origin) => origin !== undefined) ?? 'default';
}

/** Settings of a cluster without its address are a slip that would go unnoticed: the embedded index takes everything. */
const CLUSTER_ONLY = [
  'engine.api_key',
  'engine.username',
  'engine.password',
  'engine.ca_certificate',
  'engine.pipeline',
];

function warnAboutEmbeddedIndex(layers: readonly Layer[], values: EffectiveValues, report: Report): void {
  const isMeant = ['engine.provider', 'engine.urls'].some((path) => values.originOf(path) !== undefined);
  if (isMeant) return;
  const aliasedAt = layers.find((layer) => layer.aliasedAt !== undefined)?.aliasedAt;
  const clusterOnly = CLUSTER_ONLY.find((path) => values.originOf(path) !== undefined);
  const origin = aliasedAt ?? (clusterOnly === undefined ? undefined : values.originOf(clusterOnly));
  if (origin === undefined) return;
  report.warning(
    origin,
    'no engine.urls are given, so the embedded index is used. For a cluster, set engine.urls (FSCrawler took https://127.0.0.1:9200).',
  );
}

function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) deepFrozen(member);
    Object.freeze(value);
  }
  return value;
}
