import { sendJson } from '../answer.js';
import type { RestContext } from '../rest-options.js';
import type { RestRoute } from '../route.js';
import { withoutSecrets } from '../without-secrets.js';

const ENGINE_TIMEOUT_MS = 2000;

type Settings = Readonly<Record<string, unknown>> & { readonly engine?: unknown };

/** `GET /`: the service is up, its versions, its settings. FSCrawler's scripts look for `elasticsearch` (rest.legacy). */
export function statusRoutes(context: RestContext): readonly RestRoute[] {
  const engineVersion = cachedVersion(context);
  return [
    {
      method: 'GET',
      path: '/',
      async handle(request, response) {
        const engine = await engineVersion();
        const settings = withoutSecrets(context.settingsView(context.baseUrl.for(request))) as Settings;
        sendJson(response, 200, {
          engine,
          ok: true,
          settings: context.legacy ? { ...settings, elasticsearch: settings.engine } : settings,
          version: context.version,
          ...(context.legacy ? { elasticsearch: engine } : {}),
        });
      },
    },
  ];
}

/** Asked once, so that the status answers while the engine is down; `unavailable` until the engine has answered. */
function cachedVersion({ engine }: RestContext): () => Promise<string> {
  let version: string | undefined;
  return async () => {
    if (version !== undefined) return version;
    try {
      version = await engine.version(AbortSignal.timeout(ENGINE_TIMEOUT_MS));
      return version;
    } catch {
      return 'unavailable';
    }
  };
}
