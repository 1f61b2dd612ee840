import type { DomainVerdict } from '#shared/checks/domain-pages.ts';
import { findOwnerStatement } from '../../blacklist/appeals/queries.ts';
import { findDomain, findListedDomains } from '../../blacklist/domains/domains.ts';
import { isBlacklistEmpty } from '../../blacklist/domains/queries.ts';
import { listListings } from '../../blacklist/sources/sources.ts';
import type { Context } from '../../context.ts';
import { parseHost } from '../../hostnames/links/parse-host.ts';

/**
 * Returns the public facts about a domain. A subdomain of a listed domain has the facts of that domain. A domain that
 * is not listed any more has its history.
 * @throws 400 for a text that is no domain
 */
export async function getDomainVerdict(
  { readDb: db, readPool }: Pick<Context, 'readDb' | 'readPool'>,
  name: string,
): Promise<DomainVerdict> {
  const domain = parseHost(name);
  const covering = (await findListedDomains(readPool, [domain])).get(domain);
  const matched = covering && (await findDomain(db, covering.domain));
  const listings = await listListings(db, matched?.domain ?? domain, false);
  const active = listings.filter(({ withdrawnAt }) => withdrawnAt === null);
  return {
    domain,
    listed: matched !== undefined,
    isBlacklistEmpty: !matched && (await isBlacklistEmpty(db)),
    matchedDomain: matched?.domain ?? null,
    riskLevel: matched?.riskLevel ?? null,
    confidence: matched?.confidence ?? null,
    sourceCount: matched?.sourceCount ?? null,
    independentSourceCount: matched?.independentSourceCount ?? null,
    firstListedAt: matched?.firstListedAt ?? null,
    lastSeen: matched
      ? (active
          .map(({ lastSeen }) => lastSeen)
          .sort()
          .at(-1) ?? matched.lastUpdated)
      : null,
    niche: matched?.niche ?? null,
    cost: matched?.cost ?? null,
    listings,
    ownerStatement: await findOwnerStatement(db, matched ? [domain, matched.domain] : [domain]),
  };
}
