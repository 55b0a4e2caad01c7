#!/usr/bin/env node
import { stopRequest } from '../dist/cli/signals.js';

// Before anything else is loaded: from here on a signal is a request to stop.
stopRequest();
const { main } = await import('../dist/cli/main.js');
process.exitCode = await main(process.argv.slice(2));
