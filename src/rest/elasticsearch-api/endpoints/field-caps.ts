import type { Request, Response } from 'express';
import { wildcard } from '../../../base/wildcard.js';
import { isObject } from '../../json-text.js';
import type { RestRoute } from '../../route.js';
import { sendApi } from '../api-answer.js';
import { unsupported } from '../api-error.js';
import type { ApiRequests } from '../api-requests.js';
import { fieldsOf } from '../field-mapping.js';
import type { MappedField } from '../field-mapping.js';
import { invalidRequest, malformed, readBody } from '../json-body.js';
import type { Body } from '../json-body.js';
import { INDEX_PARAMETERS, UrlParameters } from '../url-parameters.js';
import { getAndPost } from './search.js';

/** `_field_caps`: which fields some indices have, and what can be done with them. Tools build their menus from it. */
export function fieldCapsEndpoints(api: ApiRequests): readonly RestRoute[] {
  const caps = (request: Request, response: Response): Promise<void> => answerFieldCaps(api, request, response);
  return ['/_field_caps', '/:index/_field_caps'].flatMap((path) => getAndPost(path, caps));
}

interface Capability {
  readonly type: string;
  readonly metadata_field: boolean;
  readonly searchable: boolean;
  readonly aggregatable: boolean;
}

/** By type: the indices in which it is so. */
type Types = Map<string, { readonly capability: Capability; readonly indices: string[] }>;
type Capabilities = Map<string, Types>;

const METADATA: Readonly<Record<string, Capability>> = {
  _id: { type: '_id', metadata_field: true, searchable: true, aggregatable: false },
  _index: { type: '_index', metadata_field: true, searchable: false, aggregatable: false },
  _source: { type: '_source', metadata_field: true, searchable: false, aggregatable: false },
};

async function answerFieldCaps(api: ApiRequests, request: Request, response: Response): Promise<void> {
  const parameters = new UrlParameters(request, [
    ...INDEX_PARAMETERS,
    'fields',
    'filters',
    'types',
    'include_unmapped',
    'include_empty_fields',
  ]);
  const body = (await readBody(request, response)) ?? {};
  const { names, filter } = wantedFields(body, parameters);
  const patterns = names.map(wildcard);
  const signal = api.signal(response);
  const indices: string[] = [];
  const capabilities: Capabilities = new Map();
  for (const index of await api.indices(request, signal, parameters.resolveOptions())) {
    // The indices that hold something of it, as in Elasticsearch.
    if (filter !== undefined && (await api.engine.count(index, filter, signal)) === 0) continue;
    indices.push(index);
    const fields = fieldsOf(await api.engine.mapping(index, signal));
    for (const [name, capability] of [...fields.map(capabilityOf), ...Object.entries(METADATA)]) {
      if (patterns.some((fits) => fits(name))) note(capabilities, name, capability, index);
    }
  }
  const shown = [...capabilities].filter(([, types]) => isWanted(types, parameters));
  const unmapped = parameters.flag('include_unmapped') ?? false;
  const fields = shown.map(([name, types]): [string, Body] => [name, shownTypes(types, indices, unmapped)]);
  sendApi(request, response, 200, { indices, fields: Object.fromEntries(fields) });
}

function wantedFields(body: Body, parameters: UrlParameters): { names: readonly string[]; filter: Body | undefined } {
  const { fields, index_filter: filter, runtime_mappings: runtime, ...others } = body;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw unsupported(`[${unknown}] in a _field_caps`);
  if (isObject(runtime) && Object.keys(runtime).length > 0) throw unsupported('[runtime_mappings]');
  if (filter !== undefined && !isObject(filter)) throw malformed('[index_filter] must be an object');
  const named = Array.isArray(fields) ? (fields as unknown[]) : fields === undefined ? [] : [fields];
  const names = [...named, ...(parameters.list('fields') ?? [])].map((each) => {
    if (typeof each === 'string') return each;
    throw malformed('[fields] must be names of fields');
  });
  if (names.length === 0) throw invalidRequest('no fields specified');
  return { names, filter };
}

function capabilityOf({ name, type, unsearchable }: MappedField): [string, Capability] {
  const aggregatable = !unsearchable && type !== 'text';
  return [name, { type, metadata_field: false, searchable: !unsearchable, aggregatable }];
}

function note(capabilities: Capabilities, name: string, capability: Capability, index: string): void {
  const types: Types = capabilities.get(name) ?? (new Map() as Types);
  const known = types.get(capability.type);
  if (known === undefined) types.set(capability.type, { capability, indices: [index] });
  else known.indices.push(index);
  capabilities.set(name, types);
}

/** `types` names those that are wanted, `filters` what is not (`-metadata`, `-parent`). */
function isWanted(types: ReadonlyMap<string, { readonly capability: Capability }>, parameters: UrlParameters): boolean {
  const wanted = parameters.list('types');
  const filters = parameters.list('filters') ?? [];
  const unknown = filters.find((each) => !FILTERS.includes(each));
  if (unknown !== undefined) throw unsupported(`[filters=${unknown}]`);
  return [...types.values()].some(({ capability: { type, metadata_field: isMetadata } }) => {
    if (wanted !== undefined && !wanted.includes(type)) return false;
    if (isMetadata) return !filters.includes('-metadata');
    return !filters.includes('+metadata') && !(type === 'object' && filters.includes('-parent'));
  });
}

const FILTERS = ['-metadata', '+metadata', '-parent', '-nested', '-multifield'];

/** The indices are named only where they differ. */
function shownTypes(
  types: ReadonlyMap<string, { readonly capability: Capability; readonly indices: readonly string[] }>,
  indices: readonly string[],
  withUnmapped: boolean,
): Body {
  const mapped = new Set([...types.values()].flatMap((each) => each.indices));
  const without = indices.filter((index) => !mapped.has(index));
  const missing = { type: 'unmapped', metadata_field: false, searchable: false, aggregatable: false };
  const all = [
    ...types.values(),
    ...(withUnmapped && without.length > 0 ? [{ capability: missing, indices: without }] : []),
  ];
  return Object.fromEntries(
    all.map(({ capability, indices: own }) => [
      capability.type,
      all.length === 1 ? capability : { ...capability, indices: own },
    ]),
  );
}
