import { type Domain, toRiskCounts } from '#shared/blacklist/domains.ts';
import type {
  AskedTotal,
  InvalidEntry,
  ListedDomain,
  ListResult,
  ListSummary,
  Network,
} from '#shared/checks/domain-lists.ts';
import { listDomainsByName } from '../../blacklist/domains/domains.ts';
import { isBlacklistEmpty } from '../../blacklist/domains/queries.ts';
import { type ActiveListing, listActiveListings } from '../../blacklist/sources/sources.ts';
import type { Context } from '../../context.ts';
import { checkDomains } from '../checks/checks.ts';
import type { ListEntry } from './collect-entries.ts';
import { findNetworks } from './networks.ts';
import { comparePrices, parsePrice, rangeOf } from './prices.ts';

export interface ListResults {
  summary: Omit<ListSummary, 'duplicates'>;
  networks: Network[];
  results: ListResult[];
}

/**
 * Compares entries with the blacklist as it is now, with one query for each kind of data.
 * @param isAdmin whether the caller may see the names of all sources
 */
export async function checkEntries(
  context: Pick<Context, 'readDb' | 'readPool' | 'now'>,
  entries: readonly ListEntry[],
  isAdmin: boolean,
): Promise<ListResults> {
  const { readDb: db } = context;
  const checks = await checkDomains(
    context,
    entries.map(({ domain }) => domain),
  );
  const positions = new Map<string, number[]>();
  for (const [position, check] of checks.entries()) {
    if (!('matchedDomain' in check) || check.matchedDomain === null) continue;
    const known = positions.get(check.matchedDomain);
    if (known) known.push(position);
    else positions.set(check.matchedDomain, [position]);
  }
  const matched = [...positions.keys()];
  const domains = await listDomainsByName(db, matched);
  const listings = await listActiveListings(db, matched, isAdmin);
  const isEmpty = matched.length === 0 && (await isBlacklistEmpty(db));
  const found = findNetworks(listings, positions);
  const networks = found.map(({ kind, name, members }) => ({ kind, name, domains: members.size }));
  const facts = new Map(domains.map((domain) => [domain.domain, domain]));
  const listingsByName = Map.groupBy(listings, ({ name }) => name);
  const results = checks.map((check, position): ListResult => {
    const price = entries[position]?.price ?? null;
    if ('error' in check) return toInvalid(check.domain, check.error, price);
    // A domain can be delisted between the queries.
    const listed = facts.get(check.matchedDomain ?? '');
    const inNetworks = found.flatMap(({ members }, i) => (listed && members.has(position) ? [i] : []));
    return toResult(check.domain, {
      price,
      listed,
      listings: listingsByName.get(listed?.domain ?? '') ?? [],
      networks: inNetworks,
    });
  });
  return { summary: { ...summarize(results), isBlacklistEmpty: isEmpty }, networks, results };
}

const toInvalid = (domain: string, error: string, price: string | null): InvalidEntry => ({
  domain,
  price,
  priceRange: (price !== null && parsePrice(price)) || null,
  error,
});

function toResult(
  domain: string,
  {
    price,
    listed,
    listings,
    networks,
  }: { price: string | null; listed: Domain | undefined; listings: readonly ActiveListing[]; networks: number[] },
): ListedDomain {
  const priceRange = price === null ? undefined : parsePrice(price);
  const prices = [...listings.map((listing) => listing.price), listed?.cost].filter((known) => !!known);
  const knownPrices = [...new Set(prices)] as string[];
  const knownPriceRange = rangeOf(knownPrices, priceRange?.currency ?? null);
  return {
    domain,
    price,
    priceRange: priceRange ?? null,
    listed: listed !== undefined,
    matchedDomain: listed?.domain ?? null,
    domainId: listed?.id ?? null,
    riskLevel: listed?.riskLevel ?? null,
    confidence: listed?.confidence ?? null,
    sourceCount: listed?.sourceCount ?? null,
    independentSourceCount: listed?.independentSourceCount ?? null,
    firstListedAt: listed?.firstListedAt ?? null,
    niche: listed?.niche ?? null,
    knownPrices,
    knownPriceRange: knownPriceRange ?? null,
    priceComparison: comparePrices(priceRange, knownPriceRange),
    networks,
  };
}

function summarize(results: readonly ListResult[]): Omit<ListSummary, 'duplicates' | 'isBlacklistEmpty'> {
  const valid = results.filter((result) => 'listed' in result);
  const listed = valid.filter((result) => result.listed);
  return {
    total: results.length,
    listed: listed.length,
    notListed: valid.length - listed.length,
    invalid: results.length - valid.length,
    riskLevels: toRiskCounts((level) => listed.filter(({ riskLevel }) => riskLevel === level).length),
    asked: sumPrices(valid),
  };
}

/** Adds up the quoted prices by currency. */
function sumPrices(results: readonly ListedDomain[]): AskedTotal[] {
  const totals = new Map<string | null, AskedTotal>();
  for (const { priceRange, listed } of results) {
    if (!priceRange) continue;
    const { currency, min } = priceRange;
    const total = totals.get(currency) ?? { currency, total: 0, listed: 0, domains: 0 };
    total.total = roundCents(total.total + min);
    if (listed) total.listed = roundCents(total.listed + min);
    total.domains += 1;
    totals.set(currency, total);
  }
  return [...totals.values()].sort((a, b) => b.domains - a.domains);
}

/** Removes the rounding errors of sums of decimals. */
const roundCents = (amount: number): number => Math.round(amount * 100) / 100;
