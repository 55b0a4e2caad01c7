import { SaxesParser } from 'saxes';
import { CrawlerError, messageOf } from '../base/errors.js';

/** The parsed body of a file in a json or xml job. */
export function parseStructured(kind: 'json' | 'xml', text: string): unknown {
  try {
    return kind === 'json' ? (JSON.parse(text) as unknown) : parseXml(text);
  } catch (error) {
    throw new CrawlerError('corrupt', `Unable to parse ${kind === 'json' ? 'JSON' : 'XML'}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/**
 * XML as an object: the root element is dropped; attributes and child elements become members; repeated elements become
 * arrays; text of an element that also has members goes under `$`; every value is a string; empty values are left out;
 * namespace prefixes are dropped. No entity but the five of XML is expanded.
 */
interface XmlNode {
  readonly name: string;
  readonly members: Map<string, unknown[]>;
  text: string;
}

const MAX_DEPTH = 1000;

function parseXml(text: string): unknown {
  const parser = new SaxesParser();
  const open: XmlNode[] = [];
  let root: unknown;
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', (tag) => {
    if (open.length >= MAX_DEPTH) throw new Error(`elements are nested deeper than ${MAX_DEPTH}`);
    const node: XmlNode = { name: localName(tag.name), members: new Map(), text: '' };
    for (const [name, value] of Object.entries(tag.attributes)) {
      if (name !== 'xmlns' && !name.startsWith('xmlns:') && value !== '') append(node, localName(name), value);
    }
    open.push(node);
  });
  const addText = (part: string): void => {
    const node = open.at(-1);
    if (node !== undefined) node.text += part;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const node = open.pop();
    if (node === undefined) return;
    const parent = open.at(-1);
    const value = valueOf(node);
    if (parent === undefined) root = typeof value === 'string' ? { $: value } : value;
    else if (value !== '') append(parent, node.name, value);
  });
  parser.write(text).close();
  return root ?? {};
}

function valueOf(node: XmlNode): unknown {
  const text = node.text.trim();
  if (node.members.size === 0) return text;
  const object: Record<string, unknown> = {};
  for (const [name, values] of node.members) object[name] = values.length === 1 ? values[0] : values;
  if (text !== '') object['$'] = text;
  return object;
}

function append(node: XmlNode, name: string, value: unknown): void {
  const values = node.members.get(name);
  if (values === undefined) node.members.set(name, [value]);
  else values.push(value);
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
