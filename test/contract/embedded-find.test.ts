import { silentLogger } from '../../src/base/logger.js';
import { EmbeddedEngine } from '../../src/engine/embedded/embedded-engine.js';
import { tempDir } from '../support/temp-dir.js';
import { findContract } from './find-contract.js';

const directory = tempDir();

findContract('the embedded engine', () =>
  Promise.resolve(new EmbeddedEngine({ directory, baseUrl: () => undefined, version: '0.0.0', logger: silentLogger })),
);
