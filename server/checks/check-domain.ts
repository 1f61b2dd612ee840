import { domainToUnicode } from 'node:url';
import { type Check, type DomainCheck, maxQueryLength } from '#shared/checks.ts';
import type { NoDomain } from '#shared/key-checks.ts';
import type { Context } from '../context.ts';
import { findListings, type Listing } from '../domains/domains.ts';
import { listableName, normaliseHost, registrableDomain } from '../hosts/hosts.ts';
import { invalid } from '../http/errors.ts';

/** Whether a domain or pasted address is listed. Throws 400 for what is neither. */
export async function checkDomain({ pool, now }: Pick<Context, 'pool' | 'now'>, text: string): Promise<DomainCheck> {
  const host = hostOf(text);
  const listings = await findListings(pool, [host]);
  const inUnicode = domainToUnicode(host);
  return {
    ...checkOf(host, listings.get(host), now()),
    unicodeDomain: inUnicode === '' || inUnicode === host ? null : inUnicode,
    canBeListed: registrableDomain(host) !== undefined,
  };
}

/** The normalised host of a domain or pasted address. Throws 400 for what is neither. */
export function hostOf(text: string): string {
  const host = normaliseHost(text);
  if (host !== undefined) return host;
  const sentence = reasonOf(text);
  throw invalid(sentence, { domain: sentence });
}

/**
 * Checks many at once, with one question to the database. Answers stand in the order asked, also for what was asked twice.
 * Public suffixes and roots of shared hosts can not be listed: that is an answer too, not an error, since backlinks come from
 * them.
 */
export async function checkDomains(
  { pool, now }: Pick<Context, 'pool' | 'now'>,
  texts: readonly string[],
): Promise<(Check | NoDomain)[]> {
  const hosts = texts.map((text) => (text.length > maxQueryLength ? undefined : normaliseHost(text)));
  const listings = await findListings(
    pool,
    hosts.filter((host) => host !== undefined),
  );
  const checkedAt = now();
  return texts.map((text, i) => {
    const host = hosts[i];
    return host === undefined ? { domain: text, error: reasonOf(text) } : checkOf(host, listings.get(host), checkedAt);
  });
}

/** What is answered of a host with the listing that covers it. */
export function checkOf(host: string, listing: Listing | undefined, checkedAt: Date): Check {
  return {
    domain: host,
    listed: listing !== undefined,
    matchedDomain: listing?.domain ?? null,
    riskLevel: listing?.riskLevel ?? null,
    sourceCount: listing?.sourceCount ?? null,
    niche: listing?.niche ?? null,
    dateAdded: listing?.dateAdded ?? null,
    lastUpdated: listing?.lastUpdated ?? null,
    checkedAt: checkedAt.toISOString(),
  };
}

function reasonOf(text: string): string {
  if (text.length > maxQueryLength) return `This is longer than ${maxQueryLength} characters.`;
  const named = listableName(text);
  return 'reason' in named ? named.reason : 'This is not a domain name.';
}
