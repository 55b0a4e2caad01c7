import type { EngineCall } from './node-exchange.js';

/** What every server answers first: its name and version. */
export const rootCall: EngineCall = {
  name: 'version of the search engine',
  send: (client, options) => client.info(undefined, options),
};
