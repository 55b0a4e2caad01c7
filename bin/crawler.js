#!/usr/bin/env node
import { fileURLToPath } from 'node:url';

const { stopRequest } = await import('../dist/cli/signals.js').catch(notBuilt);
// Before anything else is loaded: from here on a signal is a request to stop.
stopRequest();
const { main } = await import('../dist/cli/main.js');
process.exitCode = await main(process.argv.slice(2));

/** A checkout has no compiled program until somebody builds it; an installed package always has one. */
function notBuilt(error) {
  if (!error.url?.endsWith('/dist/cli/signals.js')) throw error;
  const folder = fileURLToPath(new URL('..', import.meta.url));
  console.error(`The crawler is not built yet: run [npm ci && npm run build] in [${folder}].`);
  process.exit(1);
}
