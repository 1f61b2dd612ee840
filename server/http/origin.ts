import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';

/** A host with its port as people type it, or nothing: what stands in a Host header is anybody's text. */
const plainHost = /^(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::\d{1,5})?$/i;

/**
 * Scheme, host and port under which people reach us: the setting, else what this request says of itself. X-Forwarded-Host is
 * not asked: proxies pass on what a caller wrote there, and these addresses end in pages that others read.
 */
export function originOf(request: FastifyRequest, publicOrigin: string | undefined): string {
  if (publicOrigin) return publicOrigin;
  const host = request.headers.host ?? '';
  // Behind a proxy that passes it on, the protocol is anybody's text too.
  const protocol = request.protocol === 'https' ? 'https' : 'http';
  return plainHost.test(host) ? `${protocol}://${host.toLowerCase()}` : 'http://localhost';
}

/** The same as far as the settings know it, where nobody asks: what we listen on, else. */
export function knownOrigin({ publicOrigin, host, port }: Pick<Config, 'publicOrigin' | 'host' | 'port'>): string {
  return publicOrigin ?? `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}
