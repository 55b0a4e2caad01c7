/**
 * JSON from strangers. The parser's own messages quote the text, which may hold a password, so they are replaced by the
 * place of the fault. Nesting is bounded: whoever merges or prints the value walks it recursively.
 */
const MAX_DEPTH = 100;

export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  /** The rest of a sentence: «is not valid JSON (line 1, column 5)». */
  | { readonly ok: false; readonly why: string };

export function parseJson(text: string): ParsedJson {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return { ok: false, why: `is not valid JSON${placeOf(error, text)}` };
  }
  if (depthExceeds(value, MAX_DEPTH)) return { ok: false, why: `is nested deeper than ${MAX_DEPTH} levels` };
  return { ok: true, value };
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function placeOf(error: unknown, text: string): string {
  const message = error instanceof Error ? error.message : '';
  if (message.includes('Unexpected end')) return ': it ends too early';
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position === undefined) return '';
  const before = text.slice(0, Number(position)).split('\n');
  return ` (line ${before.length}, column ${(before.at(-1) ?? '').length + 1})`;
}

/** Level by level, since a walk by recursion is what must be avoided. */
function depthExceeds(value: unknown, limit: number): boolean {
  let level: object[] = typeof value === 'object' && value !== null ? [value] : [];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= limit) return true;
    const below: object[] = [];
    for (const each of level) {
      for (const inner of Object.values(each) as unknown[]) {
        if (typeof inner === 'object' && inner !== null) below.push(inner);
      }
    }
    level = below;
  }
  return false;
}
