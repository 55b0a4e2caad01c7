/**
 * The last guard before settings leave the process: members whose name says that they hold a secret are dropped, at any
 * depth, and so are the static document passwords and the user part of URLs. Whoever builds the settings view leaves
 * them out already; a setting that is added later must not leak because somebody forgot.
 */
const SECRET = /^(api_?keys?|password|passphrase|access_key|secret_key|token|secret)$/i;
const SECRET_VALUES = /^values?$/i;

export function withoutSecrets(value: unknown, path: readonly string[] = []): unknown {
  if (typeof value === 'string') return value.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, '$1');
  if (Array.isArray(value)) return value.map((each) => withoutSecrets(each, path));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !isSecret(key, path));
  return Object.fromEntries(kept.map(([key, each]) => [key, withoutSecrets(each, [...path, key])]));
}

function isSecret(key: string, path: readonly string[]): boolean {
  return SECRET.test(key) || (path.includes('passwords') && path.at(-1) === 'static' && SECRET_VALUES.test(key));
}
