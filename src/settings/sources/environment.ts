import { CONFIG_DIR_VARIABLE, type Environment } from '../config-dir.js';
import { findVariable } from '../find-key.js';
import type { Layer } from '../layer.js';
import type { Report } from '../report.js';
import { settingRows } from '../setting-table.js';
import { IndexedLists, takeFound } from './flat-values.js';

/** What the program reads from the environment besides settings. */
const OTHER_VARIABLES = [CONFIG_DIR_VARIABLE, 'LOG_DIR', 'LOG_LEVEL', 'DOC_LEVEL', 'FS_JAVA_OPTS'];

/** What Kubernetes and Docker put into the environment of containers beside a service that is called `crawler`. */
const SERVICE_LINK = /^(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT_\d+_(?:TCP|UDP)(?:_\w+)?)$/;

/**
 * Variables with a prefix, such as `CRAWLER_FS_UPDATE_RATE`. Lists are separated by commas, or come as `…_0`, `…_1`. A
 * variable with the prefix that is no setting is only a warning: the environment belongs to others too.
 */
export function readEnvironment(prefix: string, environment: Environment, layer: Layer, report: Report): void {
  const lists = new IndexedLists();
  for (const [variable, text] of Object.entries(environment)) {
    if (!variable.startsWith(prefix) || text === undefined) continue;
    const name = variable.slice(prefix.length);
    const indexed = indexedName(name);
    const found = findVariable(indexed?.base ?? name);
    const raw = indexed === undefined ? text : lists.add(indexed.base, indexed.index, text);
    if (takeFound(found, raw, layer, variable) || found.kind !== 'unknown') continue;
    if (variable !== CONFIG_DIR_VARIABLE && !isServiceLink(name, text)) {
      report.warning(variable, unknownVariable(name, found.nearest));
    }
  }
}

function indexedName(name: string): { readonly base: string; readonly index: number } | undefined {
  const [, base, underscored, bracketed] = /^(.*?)(?:_(\d+)|\[(\d+)\])$/.exec(name) ?? [];
  const found = base === undefined ? undefined : findVariable(base);
  if (base === undefined || found?.kind !== 'setting' || found.row.declared.type.shape !== 'list') return undefined;
  return { base, index: Number(underscored ?? bracketed) };
}

function isServiceLink(name: string, text: string): boolean {
  return SERVICE_LINK.test(name) || (name === 'PORT' && /^(?:tcp|udp):/.test(text));
}

function unknownVariable(name: string, nearest: string | undefined): string {
  const other = OTHER_VARIABLES.find((each) => each.replace(/^CRAWLER_/, '') === name);
  if (other !== undefined) return `this variable is ignored; did you mean ${other}?`;
  const row = settingRows.find((each) => each.path === nearest);
  const advice = row === undefined ? '.' : `; did you mean ${row.environment}?`;
  return `this variable is not a setting and is ignored${advice}`;
}
