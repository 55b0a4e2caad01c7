import * as z from 'zod';
import { CallFault } from '../call-fault.js';
import { defineTool } from '../tool.js';

export const addDocument = defineTool({
  name: 'add_document',
  title: 'Add a document',
  description:
    'Adds one document to the index: a file below the root of the documents, or what an http or https address serves. Adding it again replaces it.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  input: z.strictObject({
    path: z.string().min(1).max(4000).optional().describe('Absolute, or from the root of the documents.'),
    url: z
      .url({ protocol: /^https?$/ })
      .max(4000)
      .optional(),
  }),
  output: z.object({
    ok: z.boolean(),
    id: z.string().nullable(),
    warning: z.string().nullable().describe('Why it was not added, or is there without all of its text.'),
  }),
  run: async ({ path, url }, { context: { add }, signal }) => {
    if (add === undefined) throw new CallFault('Documents cannot be added here.');
    if (path !== undefined && url === undefined) return await add({ path }, signal);
    if (url !== undefined && path === undefined) return await add({ url }, signal);
    throw new CallFault('Give either path or url.');
  },
});
