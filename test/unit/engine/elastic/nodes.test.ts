import { readFileSync, writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { credentialsOf, nodeUrls, tlsTrust } from '../../../../src/engine/elastic/nodes.js';

const authority = join(process.cwd(), 'test/support/tls/ca.pem');

describe('the nodes', () => {
  test.each([
    ['http://a:9200', undefined, 'http://a:9200/'],
    ['http://a:9200/', '', 'http://a:9200/'],
    ['http://a:9200', 'es', 'http://a:9200/es/'],
    ['http://a:9200', '/es/search/', 'http://a:9200/es/search/'],
    ['https://a/proxy', 'es', 'https://a/proxy/es/'],
    ['https://user:secret@a:9200', undefined, 'https://a:9200/'],
    [' http://[::1]:9200 ', undefined, 'http://[::1]:9200/'],
  ])('%s with prefix %s is asked at %s', (url, pathPrefix, expected) => {
    expect(nodeUrls({ urls: [url], pathPrefix, sslVerification: true }).map(({ href }) => href)).toEqual([expected]);
  });

  test('are each named once', () => {
    expect(
      nodeUrls({ urls: ['http://a:9200', 'http://a:9200/', 'http://b:9200'], sslVerification: true }),
    ).toHaveLength(2);
  });

  test.each(['localhost:9200', 'a', '', 'ftp://a:9200'])('[%s] is refused with the setting and an example', (url) => {
    expect(() => nodeUrls({ urls: [url], sslVerification: true })).toThrow(
      expect.objectContaining({
        code: 'settings_invalid',
        subject: 'engine.urls',
        message: expect.stringContaining('http://host:9200'),
      }),
    );
  });

  test.each(['htp://user:secret@a', 'https://user:very/secret@a', 'https://user:p@secret@a:b'])(
    'that are refused do not show a password: %s',
    (url) => {
      expect(() => nodeUrls({ urls: [url], sslVerification: true })).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining('secret') }),
      );
    },
  );

  test('must be at least one', () => {
    expect(() => nodeUrls({ urls: [], sslVerification: true })).toThrow(/engine\.urls is empty/);
  });
});

describe('credentials', () => {
  const urls = ['http://a:9200', 'http://u%40x:p%20w@b:9200'];

  test.each([
    ['the API key', { apiKey: 'k', username: 'u', password: 'p' }, { apiKey: 'k' }],
    ['user and password', { username: 'u', password: 'p' }, { username: 'u', password: 'p' }],
    ['what a URL carries', {}, { username: 'u@x', password: 'p w' }],
    ['what a URL carries unencoded', { urls: ['http://u:100%@b'] }, { username: 'u', password: '100%' }],
  ])('are %s', (_, given, expected) => {
    expect(credentialsOf({ urls, sslVerification: true, ...given })).toEqual(expected);
  });

  test('are none when nobody gives any', () => {
    expect(credentialsOf({ urls: ['http://a:9200'], apiKey: '', sslVerification: true })).toBeUndefined();
  });
});

describe('trust in certificates', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'nodes-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('is the one of the system without settings, and none without verification', () => {
    expect(tlsTrust({ urls: [], sslVerification: true })).toEqual({ rejectUnauthorized: true });
    expect(tlsTrust({ urls: [], sslVerification: false, caCertificatePath: '/missing' })).toEqual({
      rejectUnauthorized: false,
    });
  });

  test('is given by a file in PEM or in DER', () => {
    const pem = readFileSync(authority, 'utf8');
    const der = join(folder, 'ca.crt');
    writeFileSync(der, new X509Certificate(pem).raw);
    const fromPem = tlsTrust({ urls: [], sslVerification: true, caCertificatePath: authority });
    const fromDer = tlsTrust({ urls: [], sslVerification: true, caCertificatePath: der });
    expect(fromPem.ca).toBe(pem);
    expect(new X509Certificate(fromDer.ca ?? '').fingerprint256).toBe(new X509Certificate(pem).fingerprint256);
  });

  test.each(['missing.pem', 'text.pem'])('is refused with path and setting for %s', (name) => {
    const path = join(folder, name);
    if (name === 'text.pem') writeFileSync(path, 'no certificate');
    expect(() => tlsTrust({ urls: [], sslVerification: true, caCertificatePath: path })).toThrow(
      expect.objectContaining({ code: 'settings_invalid', message: expect.stringContaining(path) }),
    );
  });
});
