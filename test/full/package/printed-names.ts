import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** Names of files and pages in the texts of the program: what it may print. Comments are not among them. */
const FILE = /\b(?:docs|settings|examples|bin|packaging)\/[\w./-]*\.(?:md|ya?ml|json|sh|service)\b/g;
const TOPIC = /\bcrawler help ([a-z][\w-]*)/g;

/** By name, with the file of src/ that holds it. */
export function printedFiles(): ReadonlyMap<string, string> {
  return namesIn(FILE, (match) => match[0]);
}

export function printedTopics(): ReadonlyMap<string, string> {
  return namesIn(TOPIC, (match) => match[1] ?? '');
}

function namesIn(pattern: RegExp, nameOf: (match: RegExpExecArray) => string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  for (const source of sources)
    for (const text of textsIn(join('src', source)))
      for (const match of text.matchAll(pattern)) names.set(nameOf(match), source);
  return names;
}

function textsIn(path: string): readonly string[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2022);
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    const isPath = ts.isImportDeclaration(node) || ts.isExportDeclaration(node);
    if (isPath) return;
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      texts.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts;
}
