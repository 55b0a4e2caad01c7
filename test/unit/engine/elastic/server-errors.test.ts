import { describe, expect, test } from '@jest/globals';
import { serverError } from '../../../../src/engine/elastic/server-errors.js';

const what = 'The search in [docs] failed';
const parse = { type: 'parse_exception', reason: 'Encountered "<EOF>" at line 1.\nWas expecting one of:\n "+" ...' };
const shard = { type: 'query_shard_exception', reason: 'Failed to parse query [a (]', caused_by: parse };

describe('an answer with an error status', () => {
  test.each([
    [
      404,
      { error: { type: 'index_not_found_exception', reason: 'no such index [docs]' } },
      'not_found',
      'no such index [docs]',
    ],
    [
      400,
      {
        error: {
          type: 'parsing_exception',
          reason: 'unknown query [x]',
          root_cause: [{ reason: 'unknown query [x]' }],
        },
      },
      'corrupt',
      'unknown query [x]',
    ],
    [
      400,
      {
        error: {
          type: 'search_phase_execution_exception',
          reason: 'all shards failed',
          failed_shards: [{ reason: shard }],
        },
      },
      'corrupt',
      'Failed to parse query [a (]: Encountered " " at line 1.',
    ],
    [
      400,
      { error: { type: 'illegal_argument_exception', reason: 'Result window is too large' } },
      'unsupported',
      'Result window is too large',
    ],
    [404, '<html>Not found</html>', 'unavailable', 'Not found'],
    [409, { error: { type: 'x', reason: 'conflict' } }, 'conflict', 'conflict'],
    [413, '', 'too_large', 'HTTP status 413'],
    [429, '', 'rate_limited', 'HTTP status 429'],
    [500, { error: 'text' }, 'internal', 'text'],
    [
      503,
      '<html><head><title>503</title></head>\n<body>Service Unavailable</body></html>',
      'unavailable',
      '503 Service Unavailable',
    ],
  ])('%s %j is %s with its reason', (status, body, code, reason) => {
    expect(serverError(status, body, what, 'docs')).toMatchObject({
      code,
      message: `${what} (${reason}).`,
      subject: 'docs',
    });
  });

  test.each([
    [401, 'check engine.api_key (or engine.username and engine.password)'],
    [403, 'give the user or API key of the engine settings the missing privilege'],
    [407, 'the proxy requires credentials: put them into its address, or bypass it'],
  ])('%s is denied, with what to do', (status, remedy) => {
    const body = { error: { type: 'security_exception', reason: 'no' } };
    expect(serverError(status, body, what)).toMatchObject({ code: 'denied', message: `${what} (no): ${remedy}.` });
  });

  test('keeps beginning and end of a reason that is too long to read', () => {
    const { message } = serverError(400, { error: { reason: `id [${'x'.repeat(2000)}] is too long` } }, what);
    expect(message).toMatch(/^The search in \[docs\] failed \(id \[x+ … x+\] is too long\)\.$/);
    expect(message.length).toBeLessThan(600);
  });
});
