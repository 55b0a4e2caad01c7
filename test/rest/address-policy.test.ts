import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { effectiveAddress, isLoopback, parseAddress } from '../../src/source/address-class.js';
import { AddressPolicy } from '../../src/source/address-policy.js';

function verdict(policy: AddressPolicy, host: string, address: string): 'allowed' | 'refused' {
  try {
    policy.check(host, address);
    return 'allowed';
  } catch {
    return 'refused';
  }
}

const none = { allow: [], deny: [] };
const inside = new AddressPolicy({ ...none, exposed: false });
const exposed = new AddressPolicy({ ...none, exposed: true });

describe('without rules', () => {
  test.each([
    ['93.184.215.14', 'allowed', 'allowed'],
    ['172.32.0.1', 'allowed', 'allowed'],
    ['2606:2800:21f:cb07:6820:80da:af6b:8b2c', 'allowed', 'allowed'],
    ['::ffff:93.184.215.14', 'allowed', 'allowed'],
    ['::ffff:0:93.184.215.14', 'allowed', 'allowed'],
    ['64:ff9b::5db8:d70e', 'allowed', 'allowed'],
    ['2002:5db8:d70e::1', 'allowed', 'allowed'],
    ['127.0.0.1', 'allowed', 'refused'],
    ['127.8.8.8', 'allowed', 'refused'],
    ['10.1.2.3', 'allowed', 'refused'],
    ['172.16.0.1', 'allowed', 'refused'],
    ['192.168.1.1', 'allowed', 'refused'],
    ['100.64.0.1', 'allowed', 'refused'],
    ['198.18.0.1', 'allowed', 'refused'],
    ['::1', 'allowed', 'refused'],
    ['fd12:3456::1', 'allowed', 'refused'],
    ['fec0::1', 'allowed', 'refused'],
    ['2001:2::1', 'allowed', 'refused'],
    ['::ffff:10.1.2.3', 'allowed', 'refused'],
    ['::ffff:7f00:1', 'allowed', 'refused'],
    ['::ffff:0:10.1.2.3', 'allowed', 'refused'],
    ['::ffff:0:7f00:1', 'allowed', 'refused'],
    ['64:ff9b::a01:203', 'allowed', 'refused'],
    ['2002:a01:203::1', 'allowed', 'refused'],
    ['::10.1.2.3', 'allowed', 'refused'],
    ['169.254.169.254', 'refused', 'refused'],
    ['169.254.0.1', 'refused', 'refused'],
    ['100.100.100.200', 'refused', 'refused'],
    ['168.63.129.16', 'refused', 'refused'],
    ['192.0.0.192', 'refused', 'refused'],
    ['192.0.2.1', 'refused', 'refused'],
    ['198.51.100.7', 'refused', 'refused'],
    ['203.0.113.9', 'refused', 'refused'],
    ['192.88.99.1', 'refused', 'refused'],
    ['192.31.196.1', 'refused', 'refused'],
    ['192.52.193.1', 'refused', 'refused'],
    ['192.175.48.1', 'refused', 'refused'],
    ['0.0.0.0', 'refused', 'refused'],
    ['0.1.2.3', 'refused', 'refused'],
    ['255.255.255.255', 'refused', 'refused'],
    ['240.0.0.1', 'refused', 'refused'],
    ['224.0.0.1', 'refused', 'refused'],
    ['::', 'refused', 'refused'],
    ['fe80::1', 'refused', 'refused'],
    ['fe80::1%eth0', 'refused', 'refused'],
    ['fd00:ec2::254', 'refused', 'refused'],
    ['fd20:ce::254', 'refused', 'refused'],
    ['ff02::1', 'refused', 'refused'],
    ['100::1', 'refused', 'refused'],
    ['2001:db8::1', 'refused', 'refused'],
    ['3fff::1', 'refused', 'refused'],
    ['5f00::1', 'refused', 'refused'],
    ['2001:10::1', 'refused', 'refused'],
    ['2001:20::1', 'refused', 'refused'],
    ['4000::1', 'refused', 'refused'],
    ['::ffff:169.254.169.254', 'refused', 'refused'],
    ['::ffff:0:169.254.169.254', 'refused', 'refused'],
    ['::ffff:0:a9fe:a9fe', 'refused', 'refused'],
    ['64:ff9b::a9fe:a9fe', 'refused', 'refused'],
    ['64:ff9b:1::a9fe:a9fe', 'refused', 'refused'],
    ['64:ff9b:1::5db8:d70e', 'refused', 'refused'],
    ['64:ff9b:1:a9fe:a9:fe00::', 'refused', 'refused'],
    ['2002:a9fe:a9fe::', 'refused', 'refused'],
    ['::169.254.169.254', 'refused', 'refused'],
    ['2001:0:5db8:d70e::1', 'refused', 'refused'],
    ['2001::5601:5601', 'refused', 'refused'],
  ] as const)('%s: %s by a service on loopback, %s by one beyond it', (address, onLoopback, beyond) => {
    expect(verdict(inside, address, address)).toBe(onLoopback);
    expect(verdict(exposed, address, address)).toBe(beyond);
  });
});

describe('with rules', () => {
  test.each([
    [{ allow: ['10.0.0.0/8'] }, 'intern.example', '10.1.2.3', 'allowed'],
    [{ allow: ['10.0.0.0/8'] }, 'intern.example', '10.1.2.3', 'allowed'],
    [{ allow: ['10.0.0.0/8'] }, 'other.example', '93.184.215.14', 'refused'],
    [{ allow: ['files.example'] }, 'files.example', '10.1.2.3', 'allowed'],
    [{ allow: ['FILES.example'] }, 'Files.Example.', '10.1.2.3', 'allowed'],
    [{ allow: ['files.example'] }, 'other.example', '93.184.215.14', 'refused'],
    [{ allow: ['files.example'] }, 'files.example', '169.254.169.254', 'refused'],
    [{ allow: ['169.254.169.254'] }, 'metadata', '169.254.169.254', 'allowed'],
    [{ allow: ['*.example'] }, 'a.b.example', '10.1.2.3', 'allowed'],
    [{ allow: ['*.example'] }, 'example', '10.1.2.3', 'refused'],
    [{ allow: ['*.example'] }, 'badexample', '10.1.2.3', 'refused'],
    [{ allow: ['::1'] }, 'localhost', '::1', 'allowed'],
    [{ allow: ['[::1]'] }, 'localhost', '::1', 'allowed'],
    [{ allow: ['::ffff:10.1.2.3'] }, 'x', '10.1.2.3', 'allowed'],
    [{ deny: ['93.184.0.0/16'] }, 'example.com', '93.184.215.14', 'refused'],
    [{ deny: ['93.184.0.0/16'] }, 'example.com', '::ffff:93.184.215.14', 'refused'],
    [{ deny: ['2002::/16'] }, 'example.com', '2002:5db8:d70e::1', 'refused'],
    [{ deny: ['::ffff:93.184.0.0/112'] }, 'example.com', '93.184.215.14', 'refused'],
    [{ allow: ['64:ff9b:1::/48'] }, 'example.com', '64:ff9b:1::a9fe:a9fe', 'allowed'],
    [{ deny: ['*.example.com'] }, 'www.example.com', '93.184.215.14', 'refused'],
    [{ deny: ['example.com'] }, 'www.example.com', '93.184.215.14', 'allowed'],
    [{ allow: ['10.0.0.0/8'], deny: ['10.1.0.0/16'] }, 'x', '10.1.2.3', 'refused'],
    [{ allow: ['10.0.0.0/8'], deny: ['10.1.0.0/16'] }, 'x', '10.2.2.3', 'allowed'],
  ])('%j: %s at %s is %s', (rules, host, address, expected) => {
    const policy = new AddressPolicy({ ...none, ...rules, exposed: true });
    expect(verdict(policy, host, address)).toBe(expected);
  });

  test.each(['', 'http://x', 'a b', '10.0.0.0/33', '10.0.0', '10.0.0.0/x', '10.0.0.0/8/8', '*', '*.', 'a/b', '-a'])(
    '[%s] is no rule',
    (rule) => {
      expect(() => new AddressPolicy({ allow: [rule], deny: [], exposed: false })).toThrow(/rest\.fetch\.allow/);
      expect(() => new AddressPolicy({ allow: [], deny: [rule], exposed: false })).toThrow(/rest\.fetch\.deny/);
    },
  );
});

describe('addresses', () => {
  test('an IPv4 address inside an IPv6 one is judged as IPv4, however it is written', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        fc.pre(!address.startsWith('0.0.'));
        const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
        const hex = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
        for (const wrapped of [
          `::ffff:${address}`,
          `::ffff:${hex}`,
          `0:0:0:0:0:ffff:${hex}`,
          `::ffff:0:${address}`,
          `64:ff9b::${hex}`,
          `2002:${hex}::1`,
          `::${address}`,
        ]) {
          expect(effectiveAddress(parseAddress(wrapped)!).toString()).toBe(address);
        }
      }),
    );
  });

  test('every address gets a verdict', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => {
        expect(['allowed', 'refused']).toContain(verdict(exposed, address, address));
      }),
    );
  });

  test.each([
    ['127.0.0.1', true],
    ['127.255.0.1', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['0.0.0.0', false],
    ['::', false],
    ['192.168.0.1', false],
  ])('%s is loopback: %s', (address, loopback) => {
    expect(isLoopback(address)).toBe(loopback);
  });
});
