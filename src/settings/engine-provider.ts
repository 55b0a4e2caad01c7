import type { JobSettings } from './job-settings.js';

/** Which engine the settings mean (`engine.type` would be read from jobs of old FSCrawlers, where it was something else): `engine.provider`, or the cluster where `engine.urls` names one. */
export function engineProviderOf({ provider, urls }: JobSettings['engine']): 'embedded' | 'elasticsearch' {
  if (provider !== 'auto') return provider;
  return urls.length > 0 ? 'elasticsearch' : 'embedded';
}

export function isEmbedded(engine: JobSettings['engine']): boolean {
  return engineProviderOf(engine) === 'embedded';
}
