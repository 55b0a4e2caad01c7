import { sources } from './registry.js';
import type { FetchDescription, FetchParameter } from './source-description.js';

/**
 * The part of docs/openapi.yaml that says what can be fetched, from the descriptions of the sources: lines of YAML,
 * indented for their place below `FetchRequest.properties`. `npm run docs` writes them.
 */
export function fetchSchemaLines(): readonly string[] {
  const fetched = sources.flatMap(({ type, fetch }) => (fetch === undefined ? [] : [{ type, fetch }]));
  const types = fetched.map(({ type }) => type).join(', ');
  return [
    `        type: { type: string, enum: [${types}] }`,
    ...fetched.flatMap(({ type, fetch }) => schemaOf(type, fetch)),
  ];
}

function schemaOf(type: string, { parameters, about }: FetchDescription): readonly string[] {
  const members = Object.entries(parameters);
  const required = members.filter(([, parameter]) => parameter.required).map(([name]) => name);
  return [
    `        ${type}:`,
    '          type: object',
    ...(about === undefined ? [] : [`          description: ${quoted(about)}`]),
    ...(required.length === 0 ? [] : [`          required: [${required.join(', ')}]`]),
    '          properties:',
    ...members.map(([name, parameter]) => `            ${name}: { ${memberOf(parameter)} }`),
  ];
}

function memberOf({ type, required, format, about }: FetchParameter): string {
  return [
    `type: ${type}`,
    ...(required === true && type === 'string' ? ['minLength: 1'] : []),
    ...(format === undefined ? [] : [`format: ${format}`]),
    ...(about === undefined ? [] : [`description: ${quoted(about)}`]),
  ].join(', ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
