import { silentLogger } from '../../src/base/logger.js';
import { EmbeddedEngine } from '../../src/engine/embedded/embedded-engine.js';
import { tempDir } from '../support/temp-dir.js';
import { engineContract } from './engine-contract.js';
import { nearnessContract } from './nearness-contract.js';

const directory = tempDir();

function open(): Promise<EmbeddedEngine> {
  const engine = new EmbeddedEngine({ directory, baseUrl: () => undefined, version: '0.0.0', logger: silentLogger });
  return Promise.resolve(engine);
}

engineContract('the embedded engine', open);
nearnessContract('the embedded engine', open);
