import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { packageRoot } from '../../base/package-root.js';
import { sendRaw } from '../answer.js';
import type { RestContext } from '../rest-options.js';
import type { RestRoute } from '../route.js';

/** The description of the service, `docs/openapi.yaml`, as JSON and with the address at which it is served. */
export function openApiRoutes(context: RestContext): readonly RestRoute[] {
  let described: object | undefined;
  return [
    {
      method: 'GET',
      path: '/_openapi.json',
      handle(request, response) {
        described ??= description(context);
        const servers = [{ url: context.baseUrl.for(request) }];
        sendRaw(response, 200, 'application/json', JSON.stringify({ ...described, servers }));
      },
    },
  ];
}

function description({ version }: RestContext): object {
  const document = parse(readFileSync(join(packageRoot, 'docs', 'openapi.yaml'), 'utf8')) as { info: object };
  return { ...document, info: { ...document.info, version } };
}
