import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { packageRoot } from '../../base/package-root.js';
import { sendRaw } from '../answer.js';
import type { RestContext } from '../rest-options.js';
import type { RestRoute } from '../route.js';

/** The description of the service, `docs/openapi.yaml`, as JSON and with the address at which it is served. */
export function openApiRoutes(context: RestContext): readonly RestRoute[] {
  let text: string | undefined;
  return [
    {
      method: 'GET',
      path: '/_openapi.json',
      handle(_request, response) {
        text ??= description(context);
        sendRaw(response, 200, 'application/json', text);
      },
    },
  ];
}

function description({ baseUrl, version }: RestContext): string {
  const document = parse(readFileSync(join(packageRoot, 'docs', 'openapi.yaml'), 'utf8')) as { info: object };
  return JSON.stringify({ ...document, info: { ...document.info, version }, servers: [{ url: baseUrl }] });
}
