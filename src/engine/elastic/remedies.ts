/**
 * What a person can do about a failure, in one line. TLS failures reach us only as OpenSSL's or Node's text, which has
 * been stable for years; the HTTP client drops their codes.
 */
const TLS_REMEDIES: readonly (readonly [pattern: RegExp, remedy: string])[] = [
  [
    /self[- ]signed certificate|unable to verify the first certificate|unable to get (local )?issuer/i,
    'its certificate comes from an authority that is not known here: give the path of that authority’s certificate in engine.ca_certificate',
  ],
  [
    /altnames|host ?name.*does not match/i,
    'its certificate was issued for other names: use one of those names in engine.urls',
  ],
  [/certificate has expired|certificate is not yet valid/i, 'renew its certificate, or correct the clock here'],
  [
    /wrong version number|packet length too long|unknown protocol|record layer failure/i,
    'it does not speak TLS on this port: write http:// instead of https:// in engine.urls',
  ],
  [
    /alert (number|bad|unknown|certificate|handshake)|handshake failure|unsupported protocol/i,
    'it refused the TLS handshake: see its log, and check its certificate and the proxy between',
  ],
];

/** The remedy for a TLS failure, or undefined when the text does not come from TLS. */
export function tlsRemedy(message: string): string | undefined {
  return TLS_REMEDIES.find(([pattern]) => pattern.test(message))?.[1];
}

/** The remedy for a refusal by status, or undefined when the status is not about permission. */
export function accessRemedy(status: number): string | undefined {
  if (status === 401) return 'check engine.api_key (or engine.username and engine.password)';
  if (status === 403) return 'give the user or API key of the engine settings the missing privilege';
  if (status === 407) return 'the proxy requires credentials: put them into its address, or bypass it';
  return undefined;
}
