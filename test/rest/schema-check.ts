/**
 * Does a value fit a schema of the OpenAPI description? The part of JSON Schema that the description uses, and no more: an
 * unknown keyword is a fault of the test.
 */
export type Schema = Readonly<Record<string, unknown>>;

const ANNOTATIONS: ReadonlySet<string> = new Set(['description', 'format', 'examples', 'default']);

/** The faults of the value, each with its place; none when it fits. */
export function schemaFaults(value: unknown, schema: Schema, root: Schema, place = '$'): string[] {
  if (typeof schema['$ref'] === 'string') return schemaFaults(value, resolve(schema['$ref'], root), root, place);
  return Object.entries(schema).flatMap(([keyword, rule]) =>
    keywordFaults(value, keyword, rule, { schema, root, place }),
  );
}

export function resolve(reference: string, root: Schema): Schema {
  return reference
    .slice(2)
    .split('/')
    .reduce<Schema>((node, name) => node[name] as Schema, root);
}

interface Where {
  readonly schema: Schema;
  readonly root: Schema;
  readonly place: string;
}

function keywordFaults(value: unknown, keyword: string, rule: unknown, where: Where): string[] {
  const { place } = where;
  const fault = (fits: boolean): string[] =>
    fits ? [] : [`${place}: ${keyword} ${JSON.stringify(rule)}, not ${JSON.stringify(value)}`];
  switch (keyword) {
    case 'type':
      return fault([rule].flat().some((type) => isOfType(value, String(type))));
    case 'const':
      return fault(value === rule);
    case 'enum':
      return fault((rule as unknown[]).includes(value));
    case 'pattern':
      return fault(typeof value !== 'string' || new RegExp(String(rule)).test(value));
    case 'minLength':
      return fault(typeof value !== 'string' || value.length >= Number(rule));
    case 'minimum':
      return fault(typeof value !== 'number' || value >= Number(rule));
    case 'maximum':
      return fault(typeof value !== 'number' || value <= Number(rule));
    case 'required':
      return isObject(value)
        ? (rule as string[]).flatMap((name) => (name in value ? [] : [`${place}: ${name} is missing`]))
        : [];
    case 'properties':
    case 'additionalProperties':
    case 'items':
      return memberFaults(value, keyword, rule, where);
    case 'anyOf':
      return fault((rule as Schema[]).some((each) => schemaFaults(value, each, where.root, place).length === 0));
    default:
      return ANNOTATIONS.has(keyword) ? [] : [`${place}: the keyword ${keyword} is not checked by this test`];
  }
}

function memberFaults(value: unknown, keyword: string, rule: unknown, { schema, root, place }: Where): string[] {
  if (keyword === 'items') {
    return Array.isArray(value)
      ? value.flatMap((each, at) => schemaFaults(each, rule as Schema, root, `${place}[${at}]`))
      : [];
  }
  if (!isObject(value)) return [];
  const known = (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>;
  return Object.entries(value).flatMap(([name, each]) => {
    const own = known[name];
    if (keyword === 'properties') return own === undefined ? [] : schemaFaults(each, own, root, `${place}.${name}`);
    if (own !== undefined) return [];
    return rule === false
      ? [`${place}: ${name} is not described`]
      : schemaFaults(each, rule as Schema, root, `${place}.${name}`);
  });
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
