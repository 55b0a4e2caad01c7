import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a page of another site has asked, as far as the browser says so.
 * @param allowed names by which the service is known beside its own, as `hostName` gives them
 */
export function isCrossSite(headers: IncomingHttpHeaders, allowed: ReadonlySet<string>): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  const { origin } = headers;
  if (origin === undefined) return false;
  if (!URL.canParse(origin)) return true;
  const { host, hostname } = new URL(origin);
  return host !== withoutDefaultPort(headers.host ?? '', origin) && !allowed.has(hostName(hostname));
}

/** `Host:` without port, brackets and a dot at its end. */
export function hostName(host: string): string {
  return host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}

/** Origins leave the default port of their scheme out; a Host header behind a proxy may hold it. */
function withoutDefaultPort(host: string, origin: string): string {
  const port = origin.startsWith('https:') ? ':443' : ':80';
  return host.toLowerCase().endsWith(port) ? host.slice(0, -port.length).toLowerCase() : host.toLowerCase();
}
