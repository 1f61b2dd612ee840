import { canonicalName, isKnownTld } from '../server/hostnames/coverage/coverage.ts';

/**
 * Returns the normalized name of a host, as the server normalizes it, or undefined for IP addresses, names of the local
 * network and other texts that are no domain names.
 * @param text a host as a page contains it, in any case, also in Unicode
 */
export function toHost(text: string): string | undefined {
  const url = URL.parse(`http://${text}`);
  if (url?.pathname !== '/' || url.search || url.hash || url.username || url.port) return undefined;
  let host = url.hostname.replace(/\.$/, '');
  while (host.startsWith('www.') && host.indexOf('.', 4) > 0) host = host.slice(4);
  const dot = host.lastIndexOf('.');
  return dot > 0 && host.length <= 253 && isKnownTld(host.slice(dot + 1)) ? canonicalName(host) : undefined;
}
