import { isIP } from 'node:net';
import type { FastifyServerOptions } from 'fastify';

/** How many proxies stand before us one behind the other, or the addresses and ranges that they have. */
export type Proxies = number | string[];

/** @returns undefined for what is neither a number of proxies nor a list of their addresses */
export function readProxies(text: string): Proxies | undefined {
  if (['', 'false'].includes(text)) return 0;
  if (text === 'true') return 1;
  if (/^\d$/.test(text)) return Number(text);
  const list = text.split(',').map((part) => part.trim());
  return list.every(isRange) ? list : undefined;
}

/**
 * Whom Fastify believes X-Forwarded-*. Each proxy adds at the end of X-Forwarded-For who has asked it; what stands before those
 * entries is the caller's own text. Of a mere number Fastify believes nothing, so it is given as a function.
 */
export function toTrustProxy(proxies: Proxies): NonNullable<FastifyServerOptions['trustProxy']> {
  if (typeof proxies !== 'number') return proxies;
  return proxies > 0 && ((_address: string, hop: number) => hop < proxies);
}

function isRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  // All addresses there are would be the caller's word again.
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
