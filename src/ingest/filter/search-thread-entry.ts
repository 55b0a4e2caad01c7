import { parentPort } from 'node:worker_threads';
import { loadLinearEngine } from '../../base/pattern/linear-engine.js';
import type { Pattern } from '../../base/pattern/pattern.js';
import { RpcPeer, type WireMessage } from '../../base/rpc.js';
import { contentPattern } from '../../settings/filter-pattern.js';
import type { PatternSearch } from './pattern-search.js';

/**
 * Entry of the thread that searches for patterns of `fs.filters` which may take long, each within a time limit: two seconds
 * and two more for each million characters, which is a multiple of what a sound pattern takes.
 */
const BASE_LIMIT_MS = 2000;
const LIMIT_MS_PER_CHARACTER = 0.002;

const patterns = new Map<string, Pattern>();

const peer = new RpcPeer<PatternSearch, object>((batch) => parentPort?.postMessage(batch), {});
peer.serve({
  isFoundIn: async (text, content) => {
    const pattern = patterns.get(text) ?? contentPattern(text);
    patterns.set(text, pattern);
    return await Promise.resolve(
      pattern.test(content, Math.round(BASE_LIMIT_MS + LIMIT_MS_PER_CHARACTER * content.length)),
    );
  },
});

void loadLinearEngine().then(() => parentPort?.on('message', (batch: readonly WireMessage[]) => peer.receive(batch)));
