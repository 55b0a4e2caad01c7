/**
 * A value as somebody wrote it, before its grammar has seen it. Scalars keep the text of the source (`0123` stays
 * `0123`, whatever YAML would make of it), so that one grammar serves files, variables and options alike.
 */
export type Written = string | readonly Written[] | WrittenMap;
export interface WrittenMap {
  readonly [key: string]: Written;
}

export function isWrittenList(written: Written): written is readonly Written[] {
  return Array.isArray(written);
}

/** All texts in a value, from the outside in. */
export function textsOf(written: Written): readonly string[] {
  if (typeof written === 'string') return [written];
  return (isWrittenList(written) ? written : Object.values(written)).flatMap(textsOf);
}
