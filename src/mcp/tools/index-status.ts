import * as z from 'zod';
import { defineTool, READING } from '../tool.js';

const count = z.number().nullable();

export const indexStatus = defineTool({
  name: 'index_status',
  title: 'State of the index',
  description:
    'Says how far an answer such as "there is nothing" can be trusted: whether a scan is under way, when the last one ended, how many files are indexed, failed or left out, and whether tree and index were equal when they were last compared.',
  annotations: READING,
  input: z.strictObject({}),
  output: z.object({
    job: z.string(),
    state: z.string().describe('RUNNING, PAUSED, STOPPED, COMPLETED, ERROR or NEVER_RAN.'),
    files: count.describe('Files that the crawl knows.'),
    indexed: count,
    failed: count,
    left_out: count.describe('By a rule of the settings.'),
    documents: count.describe('Documents in the index, uploads among them.'),
    last_scan: z.string().nullable().describe('When it ended.'),
    verified: z
      .object({ at: z.string(), equal: z.boolean(), differences: z.number() })
      .nullable()
      .describe('When tree and index were last compared, and what differed. Null when they never were.'),
    remaining_time: count.describe('Seconds that the scan under way may still take.'),
    engine: z.string().nullable().describe('Null when it does not answer.'),
  }),
  run: async (_input, { context, signal }) => await context.status(signal),
});
