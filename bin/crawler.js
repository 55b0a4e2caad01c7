#!/usr/bin/env node
import { fileURLToPath } from 'node:url';

// Before anything else is loaded: from then on a signal is a request to stop.
import('../dist/cli/signals.js').then(start, notBuilt);

async function start({ stopRequest }) {
  stopRequest();
  const { main } = await import('../dist/cli/main.js');
  process.exitCode = await main(process.argv.slice(2));
}

/** A checkout has no compiled program until somebody builds it; an installed package always has one. */
function notBuilt(error) {
  if (!error.url?.endsWith('/dist/cli/signals.js')) throw error;
  const folder = fileURLToPath(new URL('..', import.meta.url));
  console.error(`The crawler is not built yet: run [npm ci && npm run build] in [${folder}].`);
  process.exit(1);
}
