import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { getClientAddress, getClientNetwork } from './address.ts';

const from = (ip?: string, hidesAddresses = false) => ({ ip, server: { hidesAddresses } }) as FastifyRequest;

test.each([
  ['192.0.2.1', '192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1', '192.0.2.1'],
  ['0:0:0:0:0:FFFF:C000:0201', '192.0.2.1', '192.0.2.1'],
  ['192.0.2.1:50123', '192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::ffff', '2001:db8:1:2::ffff', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::1]:50123', '2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:0:0:1::', '2001:db8:0:0:1::', '2001:db8:0:0::/64'],
  ['::1', '::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80::1', 'fe80:0:0:0::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b::c000:201', '64:ff9b:0:0::/64'],
  ['unknown', 'unknown', 'unknown'],
  [undefined, 'unknown', 'unknown'],
])('%s is stored as %s and rate-limited as %s', (ip, address, network) => {
  expect([getClientAddress(from(ip)), getClientNetwork(from(ip))]).toEqual([address, network]);
});

test('a demonstration stores no address, and limits each network as usual', () => {
  const request = from('192.0.2.1', true);
  expect([getClientAddress(request), getClientNetwork(request)]).toEqual(['unknown', '192.0.2.1']);
});
