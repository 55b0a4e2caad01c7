/**
 * A value as somebody wrote it, before its setting type has parsed it. Scalars keep the text of the source (`0123` stays
 * `0123`, whatever YAML would make of it), so that one setting type serves files, variables and options alike.
 */
export type RawValue = string | readonly RawValue[] | RawMap;
export interface RawMap {
  readonly [key: string]: RawValue;
}

export function isRawList(raw: RawValue): raw is readonly RawValue[] {
  return Array.isArray(raw);
}

/** All texts in a value, from the outside in. */
export function textsOf(raw: RawValue): readonly string[] {
  if (typeof raw === 'string') return [raw];
  return (isRawList(raw) ? raw : Object.values(raw)).flatMap(textsOf);
}
