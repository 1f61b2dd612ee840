import { isIP } from 'node:net';
import type { FastifyServerOptions } from 'fastify';

/** The number of proxies in front of the server, or their addresses and ranges. */
export type Proxies = number | string[];

/** Parses TRUST_PROXY. @returns undefined for text that is neither a number from 0 to 9 nor a list of addresses */
export function readProxies(text: string): Proxies | undefined {
  if (['', 'false'].includes(text)) return 0;
  if (text === 'true') return 1;
  if (/^\d$/.test(text)) return Number(text);
  const list = text.split(',').map((part) => part.trim());
  return list.every(isRange) ? list : undefined;
}

/**
 * Returns Fastify's `trustProxy` option. Each proxy appends the address of its client to X-Forwarded-For; earlier
 * entries come from the client and can be forged. A number is passed as a function, because Fastify does not trust a
 * plain number.
 */
export function toTrustProxy(proxies: Proxies): NonNullable<FastifyServerOptions['trustProxy']> {
  if (typeof proxies !== 'number') return proxies;
  return proxies > 0 && ((_address: string, hop: number) => hop < proxies);
}

function isRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  // A prefix of 0 would trust every address, and so any forged header.
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
