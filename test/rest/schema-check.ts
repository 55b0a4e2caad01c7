import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

export type Schema = Readonly<Record<string, unknown>>;

/** Every keyword must be one of JSON Schema, so that none is passed over; `format` only describes. */
const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, validateFormats: false });
ajv.addKeyword('components');

/** @throws Error for a keyword that there is not */
export function compileSchema(schema: Schema, { components }: Schema): ValidateFunction {
  return ajv.compile({ ...schema, components });
}

/** What of a value does not fit a schema of the OpenAPI description, each fault with its place; none when it fits. */
export function schemaFaults(value: unknown, schema: Schema, root: Schema): string[] {
  const validate = compileSchema(schema, root);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message = '', params }) => `$${instancePath}: ${message} ${JSON.stringify(params)}`,
  );
}

export function resolve(reference: string, root: Schema): Schema {
  return reference
    .slice(2)
    .split('/')
    .reduce<Schema>((node, name) => node[name] as Schema, root);
}
