import { isIP, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';

/** Where a request comes from, in the one form that an address is kept and shown in: 192.0.2.1, 2001:db8::1. */
export function getClientAddress(request: FastifyRequest): string {
  return plainAddress(request.ip);
}

/**
 * What calls are counted under that a limited number of is answered: an IPv4 address, or the /64 that somebody with IPv6 has all
 * of and could change addresses in for ever. What is no address counts as it is.
 */
export function getClientNetwork(request: FastifyRequest): string {
  const address = getClientAddress(request);
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

/** A host with its port as people type it, or nothing: what stands in a Host header is anybody's text. */
const plainHost = /^(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::\d{1,5})?$/i;

/**
 * Scheme, host and port under which people reach us: the setting, else what this request says of itself. X-Forwarded-Host is
 * not asked: proxies pass on what a caller wrote there, and these addresses end in pages that others read.
 */
export function getRequestOrigin(request: FastifyRequest, publicOrigin: string | undefined): string {
  if (publicOrigin) return publicOrigin;
  const host = request.headers.host ?? '';
  // Behind a proxy that passes it on, the protocol is anybody's text too.
  const protocol = request.protocol === 'https' ? 'https' : 'http';
  return plainHost.test(host) ? `${protocol}://${host.toLowerCase()}` : 'http://localhost';
}

/** The same as far as the settings know it, where nobody asks: what we listen on, else. */
export function getConfiguredOrigin({
  publicOrigin,
  host,
  port,
}: Pick<Config, 'publicOrigin' | 'host' | 'port'>): string {
  return publicOrigin ?? `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}
