import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** Where a request comes from, in the one form that an address is kept and shown in: 192.0.2.1, 2001:db8::1. */
export function addressOf(request: FastifyRequest): string {
  return plainAddress(request.ip);
}

/**
 * What calls are counted under that a limited number of is answered: an IPv4 address, or the /64 that somebody with IPv6 has all
 * of and could change addresses in for ever. What is no address counts as it is.
 */
export function networkOf(request: FastifyRequest): string {
  const address = addressOf(request);
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('::');
  const first = groupsOf(head);
  const zeros = tail === undefined ? [] : Array<string>(8 - first.length - groupsOf(tail).length).fill('0');
  return `${[...first, ...zeros, ...groupsOf(tail ?? '')].slice(0, 4).join(':')}::/64`;
}

/** Without the port that some proxies leave on, shortened, and an IPv4 address as itself where it came in by way of IPv6. */
function plainAddress(text: string): string {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  const [address = ''] = bare.split('%');
  if (isIP(address) !== 6) return bare;
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(short);
  if (!mapped) return short;
  const [high, low] = [Number.parseInt(mapped[1] ?? '', 16), Number.parseInt(mapped[2] ?? '', 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

const groupsOf = (text: string) => text.split(':').filter(Boolean);
