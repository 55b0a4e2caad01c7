import { describe, expect, test } from '@jest/globals';
import { knowsSemanticText, requestLimit, serverInfo } from '../../../../src/engine/elastic/server.js';

const address = 'http://a:9200';
const tagline = 'The OpenSearch Project: https://opensearch.org/';

describe('the answer to GET /', () => {
  test.each([
    [{ version: { number: '7.17.29', build_flavor: 'default' } }, 'elasticsearch', '7.17.29', false],
    [{ version: { number: '8.16.4', build_flavor: 'default' } }, 'elasticsearch', '8.16.4', false],
    [{ version: { number: '8.17.0', build_flavor: 'default' } }, 'elasticsearch', '8.17.0', true],
    [{ version: { number: '9.0.0' } }, 'elasticsearch', '9.0.0', true],
    [{ version: { number: '10.1.0' } }, 'elasticsearch', '10.1.0', true],
    [{ version: { number: '8.11.0', build_flavor: 'serverless' } }, 'serverless', 'serverless', true],
    [{ version: { number: '2.19.1', distribution: 'opensearch' }, tagline }, 'opensearch', 'opensearch-2.19.1', false],
    [{ version: { number: '3.8.0', distribution: 'opensearch' }, tagline }, 'opensearch', 'opensearch-3.8.0', false],
    [{ version: { number: '7.10.2' }, tagline }, 'opensearch', 'opensearch-7.10.2', false],
  ])('%j is %s, called %s, semantic text: %s', (body, kind, label, semantic) => {
    const server = serverInfo(body, address);
    expect(server).toMatchObject({ kind, label });
    expect(knowsSemanticText(server)).toBe(semantic);
  });

  test.each([['<html>It works!</html>'], [{}], [{ version: {} }], [null]])('%j is no search engine', (body) => {
    expect(() => serverInfo(body, address)).toThrow(
      expect.objectContaining({ code: 'unsupported', message: expect.stringContaining('engine.path_prefix') }),
    );
  });

  test.each(['6.8.23', '7.10.2', '7.16.3'])('Elasticsearch %s is refused as too old', (number) => {
    expect(() => serverInfo({ version: { number } }, address)).toThrow(/7\.17 is the oldest/);
  });
});

describe('the largest request', () => {
  test.each([
    [
      { nodes: { a: { http: { max_content_length_in_bytes: 7 } }, b: { http: { max_content_length_in_bytes: 5 } } } },
      5,
    ],
    [{ nodes: { a: { http: {} } } }, undefined],
    [{}, undefined],
    ['Forbidden', undefined],
  ])('%j is %s', (body, expected) => {
    expect(requestLimit(body)).toBe(expected);
  });
});
