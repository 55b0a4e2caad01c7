import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { callTool, eras, startMcp, type McpHarness } from '../../mcp/mcp-harness.js';

/** Each request over HTTP is answered by a server of its own: none of them may stay. */
const CALLS = 400;
let mcp: McpHarness;

beforeAll(async () => {
  mcp = await startMcp();
  await mcp.write({ a: { content: `The keeper. ${'word '.repeat(2000)}`, file: { filename: 'a.txt' } } });
});
afterAll(() => mcp.close());

function heapMb(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed / 1e6;
}

test.each(eras)('hundreds of calls of a client of %s leave nothing behind', async (era) => {
  const client = await mcp.connect(era);
  const call = async (times: number): Promise<void> => {
    for (let at = 0; at < times; at += 1) await callTool(client, 'search', { query: 'keeper' });
  };
  await call(50);
  const before = heapMb();
  await call(CALLS);
  expect(heapMb() - before).toBeLessThan(8);
});
