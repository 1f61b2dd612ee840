import { isIP, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { Config } from '../../config.ts';
import { isPrivateAddress } from '../net/addresses.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether addresses of clients are neither stored nor shown, because visitors share the accounts. */
    hidesAddresses: boolean;
  }
}

/**
 * Returns the client's IP address in normalized form, as it is stored and shown: 192.0.2.1, 2001:db8::1. It is
 * 'unknown' if the client disconnected before its address was read, connected through a Unix socket, or uses a
 * demonstration.
 */
export function getClientAddress(request: FastifyRequest): string {
  if (request.server.hidesAddresses) return 'unknown';
  return normalizeAddress(request.ip);
}

/**
 * Returns the network that rate limits count requests for: an IPv4 address, or an IPv6 /64, because a client can use
 * any address of its /64. Text that is not an IP address is returned unchanged.
 */
export function getClientNetwork(request: FastifyRequest): string {
  return toNetwork(request.ip);
}

/** Returns the network of an address, as `getClientNetwork` does. */
export function toNetwork(ip: string | undefined): string {
  const address = normalizeAddress(ip);
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('::');
  const first = splitGroups(head);
  const zeros = tail === undefined ? [] : Array<string>(8 - first.length - splitGroups(tail).length).fill('0');
  return `${[...first, ...zeros, ...splitGroups(tail ?? '')].slice(0, 4).join(':')}::/64`;
}

/**
 * Whether the client's address may be that of a proxy which TRUST_PROXY does not name, so that all visitors share it.
 * It is a private address, and it was not taken from a header of a trusted proxy.
 */
export function mayBeProxy(request: FastifyRequest): boolean {
  return (request.ips?.length ?? 1) === 1 && isPrivateAddress(normalizeAddress(request.ip));
}

const forwardingHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip'];

/** Whether the request came from this machine, and not through a proxy on it. */
export const isLocalRequest = ({ raw: { socket }, headers }: FastifyRequest): boolean =>
  ipaddr.isValid(socket.remoteAddress ?? '') &&
  ipaddr.process(socket.remoteAddress ?? '').range() === 'loopback' &&
  ![...forwardingHeaders, 'via'].some((name) => headers[name] !== undefined);

/** Whether the request came through a proxy whose headers are ignored, because TRUST_PROXY does not name it. */
export const isBehindUnknownProxy = (request: FastifyRequest): boolean =>
  mayBeProxy(request) && forwardingHeaders.some((name) => request.headers[name] !== undefined);

/** Removes the port that some proxies add and the zone, compresses IPv6, and returns an IPv4-mapped address as IPv4. */
function normalizeAddress(text = 'unknown'): string {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  const [address = ''] = bare.split('%');
  if (isIP(address) !== 6) return bare;
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(short);
  if (!mapped) return short;
  const [high, low] = [Number.parseInt(mapped[1] ?? '', 16), Number.parseInt(mapped[2] ?? '', 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

const splitGroups = (text: string) => text.split(':').filter(Boolean);

/** A host with an optional port. A Host header can contain any text. */
const hostPattern = /^(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::\d{1,5})?$/i;

/**
 * Returns the scheme, host and port of the site: PUBLIC_URL, or else the scheme and Host of this request. For responses
 * to the person who sent the request. X-Forwarded-Host is ignored, because proxies pass on any value from the client.
 */
export function getRequestOrigin(request: FastifyRequest, publicOrigin: string | undefined): string {
  if (publicOrigin) return publicOrigin;
  const host = request.headers.host ?? '';
  // A proxy may pass on any X-Forwarded-Proto from the client.
  const protocol = request.protocol === 'https' ? 'https' : 'http';
  return hostPattern.test(host) ? `${protocol}://${host.toLowerCase()}` : 'http://localhost';
}

/** The names of this machine, as a Host header has them. */
export const loopbackHosts = ['localhost', '127.0.0.1', '[::1]'];

/** Returns the name in a Host header, without its port and a final period. */
export const toHostname = (host = ''): string => host.toLowerCase().replace(/\.?(?::\d{1,5})?$/, '');

/**
 * Returns the scheme, host and port of the site for pages that caches and search engines may keep, or an empty text if
 * they are unknown. Without PUBLIC_URL, the Host of a request is used only if it is HOST, a loopback name or the IP
 * address that the client connected to, because a client can forge any other.
 */
export function getPublishedOrigin(
  request: FastifyRequest,
  { publicOrigin, host }: Pick<Config, 'publicOrigin' | 'host'>,
): string {
  if (publicOrigin) return publicOrigin;
  const { localAddress } = request.raw.socket;
  const known = [...loopbackHosts, host, toUrlHost(host), toUrlHost(normalizeAddress(localAddress))];
  return known.includes(toHostname(request.headers.host)) ? getRequestOrigin(request, undefined) : '';
}

const toUrlHost = (host: string) => (isIPv6(host) ? `[${host}]` : host);

/**
 * Returns the scheme, host and port of the site without a request: PUBLIC_URL, or else the address that the server
 * listens on.
 */
export function getConfiguredOrigin({
  publicOrigin,
  host,
  port,
}: Pick<Config, 'publicOrigin' | 'host' | 'port'>): string {
  return publicOrigin ?? `http://${toUrlHost(host)}:${port}`;
}

/** Returns the bearer token of a request. */
export const readBearer = ({ headers }: FastifyRequest): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
