import { expect, test } from 'vitest';
import { isPublicAddress } from './addresses.ts';

test.each([
  '8.8.8.8',
  '1.1.1.1',
  '172.15.255.255',
  '172.32.0.1',
  '100.63.255.255',
  '2606:4700:4700::1111',
  '2a00:1450::1',
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  ['loopback', '127.0.0.1', '127.255.255.254', '::1'],
  ['private', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd12:3456::1'],
  ['link-local', '169.254.169.254', 'fe80::1', 'fe80::1%eth0', 'fec0::1'],
  ['carrier-grade NAT', '100.64.0.1', '100.127.255.255'],
  ['multicast', '224.0.0.1', '239.255.255.255', 'ff02::1'],
  ['unspecified or broadcast', '0.0.0.0', '0.1.2.3', '255.255.255.255', '::'],
  [
    'reserved',
    '192.0.0.8',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '240.0.0.1',
    '2001:db8::1',
    '3fff::1',
  ],
  ['an IPv4 address in IPv6', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::7f00:1', '64:ff9b::7f00:1', '64:ff9b:1::1'],
  ['a tunnel', '2002:7f00:1::1', '2001:0:7f00:1::1'],
  ['not in use', '4000::1', '100::1', '5f00::1'],
  ['no address', '', 'localhost', 'example.com', '1.2.3.4.5'],
])('an address that is %s is not public', (_, ...addresses) => {
  expect(addresses.filter(isPublicAddress)).toEqual([]);
});

test('numbers in other notations are read as the address that they mean', () => {
  expect(['2130706433', '0x7f.1', '017700000001', '127.1'].filter(isPublicAddress)).toEqual([]);
});
