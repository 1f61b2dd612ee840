import { domainToUnicode } from 'node:url';
import { type Check, type DomainCheck, maxQueryLength } from '#shared/checks.ts';
import type { NoDomain } from '#shared/key-checks.ts';
import type { Context } from '../context.ts';
import { findListings, type Listing } from '../domains/domains.ts';
import { listableName, normalizeHost, registrableDomain } from '../hosts/hosts.ts';
import { invalidField } from '../http/errors.ts';
import type { Identity } from '../http/scope.ts';
import { countUse } from '../throttle/throttle.ts';

/** Checks an hour without an API key: enough for a form that checks while you type, too few to copy the blacklist. */
export const checksPerHour = { visitor: 30, user: 600 } as const;

/** Counts a check made without an API key. Throws 429 when the account or address has made too many in the last hour. */
export function countCheck(
  { db, now }: Pick<Context, 'db' | 'now'>,
  user: Identity | undefined,
  address: string,
): Promise<void> {
  const use = user
    ? {
        key: `check:account:${user.id}`,
        maxPerHour: checksPerHour.user,
        sentence: `You have checked ${checksPerHour.user} domains in the last hour. Please try again later, or use an API key.`,
      }
    : {
        key: `check:address:${address}`,
        maxPerHour: checksPerHour.visitor,
        sentence: `Without an account, ${checksPerHour.visitor} domains an hour can be checked. Please sign in to check more; it is free.`,
      };
  return countUse(db, use, now());
}

/** Whether a domain or pasted address is listed, for a person. Throws 400 when the text is neither. */
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

/** The normalised host of a domain or pasted address. Throws 400 when the text is neither. */
export function hostOf(text: string): string {
  const host = normalizeHost(text);
  if (host !== undefined) return host;
  throw invalidField('domain', reasonOf(text));
}

/**
 * Checks many domains with one query. The results have the order of the texts, and an entry that is no domain has an error of its
 * own. Public suffixes and roots of shared hosts are not listed rather than errors, since backlinks come from them.
 */
export async function checkDomains(
  { pool, now }: Pick<Context, 'pool' | 'now'>,
  texts: readonly string[],
): Promise<(Check | NoDomain)[]> {
  const hosts = texts.map((text) => (text.length > maxQueryLength ? undefined : normalizeHost(text)));
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

/** The result for a host, from the listing that covers it. */
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
