import { createHash } from 'node:crypto';
import { domainToUnicode } from 'node:url';
import { type Check, type DomainCheck, maxQueryLength } from '#shared/checks/checks.ts';
import type { CheckError } from '#shared/checks/key-checks.ts';
import { recordSearch } from '../../accounts/accounts/accounts.ts';
import { findListedDomains, type ListedDomain } from '../../blacklist/domains/domains.ts';
import { isBlacklistEmpty } from '../../blacklist/domains/queries.ts';
import type { Context } from '../../context.ts';
import { registrableDomain } from '../../hostnames/coverage/coverage.ts';
import { readLinkHost } from '../../hostnames/links/links.ts';
import { describeInvalidDomain, parseHost } from '../../hostnames/links/parse-host.ts';
import type { Identity } from '../../platform/http/scope.ts';
import { recordUse } from '../../platform/throttle/throttle.ts';

/** Checks per hour without an API key: enough for a form that checks while you type, too few to copy the blacklist. */
export const maxChecksPerHour = { visitor: 30, user: 600 } as const;

/** Records a check without an API key. @throws 429 if the account or the network made too many in the last hour */
export function recordCheck(
  { db, now }: Pick<Context, 'db' | 'now'>,
  user: Identity | undefined,
  network: string,
): Promise<void> {
  const use = user
    ? {
        key: `check:account:${user.id}`,
        maxPerHour: maxChecksPerHour.user,
        limitMessage: `You have checked ${maxChecksPerHour.user} domains in the last hour. Try again later, or use an API key.`,
      }
    : {
        key: `check:address:${network}`,
        maxPerHour: maxChecksPerHour.visitor,
        limitMessage: `Without an account, you can check ${maxChecksPerHour.visitor} domains per hour. Sign in to check more. It is free.`,
      };
  return recordUse(db, use, now());
}

/**
 * Checks of lists per hour. The blacklist's screen sends two for a list, and more for its other pages, sorts and
 * filters. A visitor sends one for a list of any length.
 */
export const maxListChecksPerHour = { visitor: 10, user: 600 } as const;

/**
 * Records the check of a list.
 * @param caller the user, or the network of a visitor
 * @throws 429 if the account or the network made too many in the last hour
 */
export function recordListCheck({ db, now }: Pick<Context, 'db' | 'now'>, caller: Identity | string): Promise<void> {
  const use =
    typeof caller === 'string'
      ? {
          key: `check-list:address:${caller}`,
          maxPerHour: maxListChecksPerHour.visitor,
          limitMessage: `Without an account, you can check ${maxListChecksPerHour.visitor} lists per hour. Sign in to check more. It is free.`,
        }
      : {
          key: `check-list:account:${caller.id}`,
          maxPerHour: maxListChecksPerHour.user,
          limitMessage: 'You have checked too many lists in the last hour. Try again later, or use an API key.',
        };
  return recordUse(db, use, now());
}

/** Returns the same text for the same names in the same order. */
export const hashNames = (names: readonly string[]): string =>
  createHash('sha256').update(names.join('\n')).digest('base64url');

/**
 * Counts a list as one search of a user. `hash` is that of its names. Called after its queries, so that a failed check
 * costs nothing. No search of a text starts with '#', so the two are never the same.
 * @throws 403 when the user has reached the search limit
 */
export async function recordListSearch(
  context: Pick<Context, 'config' | 'db' | 'now'>,
  hash: string,
  { id }: Identity,
): Promise<void> {
  await recordSearch(context, id, `#${hash}`);
}

/** Checks a domain or URL for a visitor or user without an API key. @throws 400 if the text is neither */
export async function checkDomain(
  { readDb, readPool, now }: Pick<Context, 'readDb' | 'readPool' | 'now'>,
  text: string,
): Promise<DomainCheck> {
  const host = parseHost(text);
  const listed = await findListedDomains(readPool, [host]);
  const inUnicode = domainToUnicode(host);
  return {
    ...toCheck(host, listed.get(host), now()),
    unicodeDomain: inUnicode === '' || inUnicode === host ? null : inUnicode,
    canBeListed: registrableDomain(host) !== undefined,
    isBlacklistEmpty: listed.size === 0 && (await isBlacklistEmpty(readDb)),
  };
}

/**
 * Checks many domains with one query. Returns one result per text, in the same order. A text that is not a domain gets
 * an error. Public suffixes and shared hosts are valid domains that are not listed, because backlinks come from them.
 */
export async function checkDomains(
  { readPool, now }: Pick<Context, 'readPool' | 'now'>,
  texts: readonly string[],
): Promise<(Check | CheckError)[]> {
  const hosts = texts.map((text) => {
    const host = text.length > maxQueryLength ? undefined : readLinkHost(text);
    return typeof host === 'string' ? host : undefined;
  });
  const listed = await findListedDomains(
    readPool,
    hosts.filter((host) => host !== undefined),
  );
  const checkedAt = now();
  return texts.map((text, i) => {
    const host = hosts[i];
    return host === undefined
      ? { domain: text, error: describeInvalidDomain(text) }
      : toCheck(host, listed.get(host), checkedAt);
  });
}

/** `listed` is the listed domain that covers the host, if any. */
export function toCheck(host: string, listed: ListedDomain | undefined, checkedAt: Date): Check {
  return {
    domain: host,
    listed: listed !== undefined,
    matchedDomain: listed?.domain ?? null,
    riskLevel: listed?.riskLevel ?? null,
    confidence: listed?.confidence ?? null,
    sourceCount: listed?.sourceCount ?? null,
    independentSourceCount: listed?.independentSourceCount ?? null,
    niche: listed?.niche ?? null,
    dateAdded: listed?.dateAdded ?? null,
    lastUpdated: listed?.lastUpdated ?? null,
    checkedAt: checkedAt.toISOString(),
  };
}
