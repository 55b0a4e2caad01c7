import { silentLogger } from '../../src/base/logger.js';
import { EmbeddedEngine } from '../../src/engine/embedded/embedded-engine.js';
import { tempDir } from '../support/temp-dir.js';
import { engineContract } from './engine-contract.js';

const directory = tempDir();

engineContract('the embedded engine', () => {
  const engine = new EmbeddedEngine({ directory, baseUrl: () => undefined, version: '0.0.0', logger: silentLogger });
  return Promise.resolve(engine);
});
