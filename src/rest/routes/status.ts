import { sendJson } from '../answer.js';
import type { RestContext } from '../rest-options.js';
import type { RestRoute } from '../route.js';
import { withoutSecrets } from '../without-secrets.js';

const PATIENCE_MS = 2000;

/** `GET /`: the service is up, its versions, its settings. */
export function statusRoutes(context: RestContext): readonly RestRoute[] {
  const engineVersion = cachedVersion(context);
  return [
    {
      method: 'GET',
      path: '/',
      async handle(_request, response) {
        sendJson(response, 200, {
          engine: await engineVersion(),
          ok: true,
          settings: withoutSecrets(context.settingsView()),
          version: context.version,
        });
      },
    },
  ];
}

/** Asked once, so that the status answers while the engine is down; `unavailable` until the engine told it. */
function cachedVersion({ engine }: RestContext): () => Promise<string> {
  let version: string | undefined;
  return async () => {
    if (version !== undefined) return version;
    try {
      version = await engine.version(AbortSignal.timeout(PATIENCE_MS));
      return version;
    } catch {
      return 'unavailable';
    }
  };
}
