import type { Request, Response } from 'express';
import type { Access } from '../access/access.js';
import { cookieScope, endedCookie, isOfPage, sessionCookie, tokenOf } from '../access/session-cookie.js';
import { sendJson, sendMessage } from '../answer.js';
import { isObject, parseJson } from '../json-text.js';
import { badRequest, RequestFault } from '../request-fault.js';
import type { RestContext } from '../rest-options.js';
import type { RestRoute } from '../route.js';
import { readTextBody } from '../text-body.js';

const BODY_BYTES = 4096;

/** `_session`: what a page may do here, signing in with a key, signing out. */
export function sessionRoutes(context: RestContext): readonly RestRoute[] {
  const { access } = context;
  return [
    {
      method: 'GET',
      path: '/_session',
      handle: (request, response) => {
        const role = access.roleOf(request);
        const own = { keys: access.keys.isLocked, ok: true, role: role ?? 'none' };
        response.setHeader('Cache-Control', 'no-store');
        sendJson(response, 200, role === undefined ? own : { ...own, ...aboutService(context) });
      },
    },
    { method: 'POST', path: '/_session', handle: (request, response) => signIn(access, request, response) },
    {
      method: 'DELETE',
      path: '/_session',
      handle: (request, response) => {
        const token = tokenOf(request.headers, access.cookie);
        if (token !== undefined) access.sessions.close(token);
        response.setHeader('Set-Cookie', endedCookie(access.cookie, cookieScope(request)));
        sendMessage(response, 200, true, 'Signed out.');
      },
    },
  ];
}

function aboutService(context: RestContext): Readonly<Record<string, unknown>> {
  const { crawler, engine, originals, jobName, version, loopback, maxUploadBytes, ui } = context;
  return {
    crawl: crawler !== undefined,
    engine: { type: engine.type, up: context.engineReady().ready },
    exposed: !loopback,
    job: jobName,
    max_upload_size: maxUploadBytes ?? null,
    originals: originals !== undefined,
    ui,
    version,
  };
}

async function signIn(access: Access, request: Request, response: Response): Promise<void> {
  // With rest.enable_cors no other guard stands in front: a form of another site would sign its visitor in.
  if (!isOfPage(request))
    throw new RequestFault(403, 'Only the pages of this service sign in. Scripts send their key.');
  if (access.sessions.isGuessed) {
    throw new RequestFault(429, 'Too many wrong keys. Wait a minute, then try again.', { 'Retry-After': '60' });
  }
  const role = access.keys.roleOf(keyOf(await bodyOf(request, response)));
  if (role === undefined) {
    access.sessions.noteFailure();
    throw new RequestFault(401, 'This key is not one of the service.', {
      'WWW-Authenticate': 'Bearer realm="crawler"',
    });
  }
  response.setHeader('Set-Cookie', sessionCookie(access.cookie, access.sessions.open(role), cookieScope(request)));
  sendJson(response, 200, { ok: true, role });
}

async function bodyOf(request: Request, response: Response): Promise<unknown> {
  const parsed = await parseJson(await readTextBody(request, response, BODY_BYTES));
  if (!parsed.ok) throw badRequest(`The body ${parsed.why}.`);
  return parsed.value;
}

function keyOf(body: unknown): string {
  const key = isObject(body) ? body['key'] : undefined;
  if (typeof key !== 'string' || key === '') throw badRequest('Send the key as {"key": "…"}.');
  return key;
}
