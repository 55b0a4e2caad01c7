import type { Request } from 'express';

/**
 * The address of the service in its answers. A service that listens on all addresses of its machine (`0.0.0.0`, `::`) has
 * none of its own that a caller could use: it is then the one that the caller has used.
 */
export class BaseUrl {
  /** Without a trailing slash; on this machine when the service listens everywhere. */
  readonly own: string;
  readonly #prefix: string;
  readonly #listensEverywhere: boolean;

  constructor(options: { readonly own: string; readonly prefix: string; readonly listensEverywhere: boolean }) {
    this.own = options.own;
    this.#prefix = options.prefix;
    this.#listensEverywhere = options.listensEverywhere;
  }

  for(request: Request): string {
    const host = request.headers.host ?? '';
    return this.#listensEverywhere && isUsable(host) ? `http://${host}${this.#prefix}` : this.own;
  }

  /** An address below the service, as this caller reaches it. Others stay as they are. */
  shown(url: string, request: Request): string {
    return url.startsWith(`${this.own}/`) ? this.for(request) + url.slice(this.own.length) : url;
  }
}

const NAME = /^[a-z0-9]([a-z0-9.-]{0,252}[a-z0-9])?(:\d{1,5})?$/i;
const IPV6 = /^\[[0-9a-f:.]{2,45}\](:\d{1,5})?$/i;

/** Whoever asks `0.0.0.0` reaches its own machine, and nobody else would. */
function isUsable(host: string): boolean {
  const url = `http://${host}`;
  return (NAME.test(host) || IPV6.test(host)) && URL.canParse(url) && !isEverywhere(new URL(url).hostname);
}

/** Whether this host name, as URLs have it, means all addresses of a machine. */
export function isEverywhere(hostname: string): boolean {
  return hostname === '0.0.0.0' || hostname === '[::]';
}
