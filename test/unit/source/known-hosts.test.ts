import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { knownHostsLine, knownKeysOf } from '../../../src/source/ssh/known-hosts.js';

const KEY = Buffer.from('a key');
const BASE64 = KEY.toString('base64');

test.each([
  ['a name', 'files.example.com', 22, true],
  ['a name in capitals', 'Files.Example.COM', 22, true],
  ['another port', 'files.example.com', 2222, false],
  ['a port of its own', '[files.example.com]:2222', 2222, true],
  ['one of several', 'other,files.example.com,10.0.0.1', 22, true],
  ['a pattern', '*.example.com', 22, true],
  ['a pattern with an exception', '*.example.com,!files.example.com', 22, false],
  ['a single letter', 'file?.example.com', 22, true],
  ['a dot is a dot', 'filesXexample.com', 22, false],
  ['another name', 'mirror.example.com', 22, false],
])('%s: [%s] for port %d', (_what, hosts, port, known) => {
  const found = knownKeysOf(`# comment\n\n${hosts} ssh-ed25519 ${BASE64} somebody\n`, 'files.example.com', port);
  expect(found).toEqual(known ? [{ type: 'ssh-ed25519', key: KEY, revoked: false }] : []);
});

test('a revoked key is marked, the key of an authority is none of the host', () => {
  const text = `@revoked * ssh-rsa ${BASE64}\n@cert-authority * ssh-rsa ${BASE64}\n`;
  expect(knownKeysOf(text, 'h', 22)).toEqual([{ type: 'ssh-rsa', key: KEY, revoked: true }]);
});

test('what was written down is found again, for its host and port only', () => {
  const host = fc.domain();
  const port = fc.integer({ min: 1, max: 65_535 });
  fc.assert(
    fc.property(host, port, fc.uint8Array({ minLength: 1 }), port, (name, at, bytes, otherPort) => {
      const key = Buffer.from(bytes);
      const line = knownHostsLine(name, at, 'ssh-ed25519', key);
      expect(knownKeysOf(line, name, at)).toEqual([{ type: 'ssh-ed25519', key, revoked: false }]);
      expect(knownKeysOf(line, name, otherPort)).toHaveLength(otherPort === at ? 1 : 0);
    }),
  );
});
