import { sectionRows } from '../setting-table.js';
import type { Layer } from '../layer.js';
import type { Report } from '../report.js';
import { takeFlatValues } from './flat-values.js';

/**
 * The system properties in FS_JAVA_OPTS (`-Xmx2g -Dfs.url=/data "-Dname=my job"`), which scripts for FSCrawler set.
 * Everything that is no `-Dkey=value` is left out. Quotes and backslashes work as in a shell.
 */
export function javaSystemProperties(options: string | undefined): ReadonlyMap<string, string> {
  const properties = new Map<string, string>();
  for (const word of shellWords(options ?? '')) {
    const [, key, value] = /^-D([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (key !== undefined) properties.set(key, value ?? '');
  }
  return properties;
}

/** Single quotes keep everything, double quotes and bare text know `\` as an escape. */
const WORD = /(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+/gs;
const PART = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)/gs;

function shellWords(text: string): readonly string[] {
  return (text.match(WORD) ?? []).map((word) =>
    word.replace(
      PART,
      (_, quoted?: string, doubleQuoted?: string, escaped?: string, bare?: string) =>
        quoted ?? doubleQuoted?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? bare ?? '',
    ),
  );
}

/** A property that begins with a section's name but is no setting gets a warning; all others belong to somebody else. */
export function readJavaProperties(properties: ReadonlyMap<string, string>, layer: Layer, report: Report): void {
  const values = [...properties].map(([key, text]) => ({ key, text }));
  takeFlatValues(values, layer, 'FS_JAVA_OPTS', (key, nearest) => {
    const section = key.split('.', 1)[0];
    if (section !== 'elasticsearch' && !sectionRows.some((row) => row.path === section)) return;
    const advice = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
    report.warning('FS_JAVA_OPTS', `${key} is not a setting and is ignored.${advice}`);
  });
}
