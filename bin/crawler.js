#!/usr/bin/env node
import { fileURLToPath } from 'node:url';

const { main } = await import('../dist/cli/main.js').catch(notBuilt);

process.exitCode = await main(process.argv.slice(2));

/** A checkout has no compiled program until somebody builds it; an installed package always has one. */
function notBuilt(error) {
  if (!error.url?.endsWith('/dist/cli/main.js')) throw error;
  const folder = fileURLToPath(new URL('..', import.meta.url));
  console.error(`The crawler is not built yet: run [npm install && npm run build] in [${folder}].`);
  process.exit(1);
}
