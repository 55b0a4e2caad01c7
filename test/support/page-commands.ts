import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'shell-quote';

/** Pages of the manual, as a reader meets them. */
export function manualPages(): readonly string[] {
  const docs = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  return ['README.md', ...docs.map((name) => join('docs', name)).sort()];
}

export interface Fence {
  /** `sh`: commands. `console`: commands behind `$ `, with what they print. `bat`: commands of Windows. */
  readonly language: string;
  readonly lines: readonly string[];
}

/** The fenced blocks of a page, in its order. */
export function fencesOf(page: string): readonly Fence[] {
  const blocks = readFileSync(page, 'utf8').matchAll(/^```(.*)\n([\s\S]*?)\n```$/gm);
  return [...blocks].map(([, language = '', body = '']) => ({ language, lines: body.split('\n') }));
}

/** Every shell command of a page as it is written, without the comment behind it. */
export function commandsOf(page: string): readonly string[] {
  return fencesOf(page).flatMap(({ language, lines }) => {
    if (language === 'console') return lines.filter((line) => line.startsWith('$ ')).map((line) => line.slice(2));
    if (language !== 'sh' && language !== 'bat') return [];
    const text = lines.join('\n').replaceAll('\\\n', '');
    return text.split('\n').map((line) => line.replace(/\s+#\s.*$/, '').replace(/ {2,}/g, ' '));
  });
}

/** `crawler …` between backquotes in the text of a page. What stands for something (`<job>`, `[job]`) is left out. */
export function mentionsOf(page: string): readonly string[] {
  const text = readFileSync(page, 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '');
  const mentions = [...text.matchAll(/`(crawler [^`]+)`/g)].map(([, mention = '']) => mention.replaceAll('\n', ' '));
  return mentions.map((mention) => mention.replaceAll(/ (?:<\w+>|\[\w+\])/g, ''));
}

/** What a command line gives to our program: its words behind `crawler`, or behind the image of the container. */
export function programArguments(command: string): readonly (readonly string[])[] {
  const entries = parse(command, (name) => `\${${name}}`);
  const parts: string[][] = [[]];
  for (const entry of entries) {
    if (typeof entry === 'string') parts.at(-1)?.push(entry);
    else if ('pattern' in entry) parts.at(-1)?.push(entry.pattern);
    else parts.push([]);
  }
  return parts.flatMap((words) => {
    const runsImage = words[0] === 'docker' && words[1] === 'run';
    const names = runsImage ? /^document-crawler$/ : /^(?:crawler|bin\/crawler\.js)$/;
    const at = words.findIndex((word) => names.test(word));
    const before = words.slice(0, Math.max(at, 0));
    // Behind other words it is a name, such as that of a user: `chown -R crawler:`, `userdel crawler`.
    const starts = before.every((word) => /^(?:node|sudo|-u|crawler|[A-Z_]+=.*)$/.test(word)) || runsImage;
    const last = before.includes('sudo') ? words.lastIndexOf('crawler') : at;
    return at >= 0 && starts ? [words.slice(last + 1)] : [];
  });
}
