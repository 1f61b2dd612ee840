import ipaddr from 'ipaddr.js';

const globalUnicast = ipaddr.parseCIDR('2000::/3');

/**
 * Whether an IP address is on the public internet. False for private, loopback, link-local, carrier-grade NAT,
 * multicast and reserved ranges, for IPv6 addresses that contain an IPv4 address (mapped, NAT64, 6to4, Teredo), and for
 * text that is not an IP address.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(globalUnicast);
}

const privateRanges = new Set(['private', 'loopback', 'linkLocal', 'uniqueLocal', 'carrierGradeNat']);

/** Whether an IP address is that of this computer or of a local network. */
export const isPrivateAddress = (text: string): boolean =>
  ipaddr.isValid(text) && privateRanges.has(ipaddr.process(text).range());
