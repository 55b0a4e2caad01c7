import { malformed } from './body-reader.js';
import type { FieldWeight, Fields } from './query-tree.js';

/** `["meta.title^3", "content"]`; none, or `*` without a weight for others, means the fields that are searched by default. */
export function fieldWeights(texts: readonly string[] | undefined, where: string): Fields {
  if (texts === undefined || texts.length === 0) return undefined;
  if (texts.includes('*') && !texts.some((text) => text.includes('^'))) return undefined;
  return texts.map((text) => fieldWeight(text, where));
}

function fieldWeight(text: string, where: string): FieldWeight {
  const [name = '', weight = '1', more] = text.split('^');
  const number = weight.trim() === '' ? Number.NaN : Number(weight);
  if (name !== '' && more === undefined && Number.isFinite(number) && number >= 0) return { name, weight: number };
  throw malformed(`a field in ${where}`, 'a name such as `content` or `meta.title^3`', text);
}
