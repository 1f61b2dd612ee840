import { riskLevels } from '#shared/blacklist/domains.ts';
import type { ListedDomain, ListResult, PriceRange } from '#shared/checks/domain-lists.ts';
import type { CheckSearch } from './screen.ts';

/** Whether an entry is a domain. */
export const isValid = (result: ListResult): result is ListedDomain => 'listed' in result;

/** Returns the results that match the filters, in the chosen order. */
export function selectResults(
  results: readonly ListResult[],
  { show, search, network, sort }: CheckSearch,
): readonly ListResult[] {
  const word = search?.toLowerCase();
  const matching = results.filter(
    (result) =>
      (show === undefined || show === getVerdict(result)) &&
      (word === undefined || result.domain.toLowerCase().includes(word)) &&
      (network === undefined || (isValid(result) && result.networks.includes(network - 1))),
  );
  if (sort === 'risk') return matching.sort((a, b) => rankRisk(b) - rankRisk(a));
  const direction = sort === 'price-asc' ? 1 : -1;
  return sort ? matching.sort((a, b) => comparePrices(a.priceRange, b.priceRange, direction)) : matching;
}

export function getVerdict(result: ListResult): NonNullable<CheckSearch['show']> {
  if (!isValid(result)) return 'invalid';
  return result.listed ? 'listed' : 'not-listed';
}

/** Listed domains by level and then by sources, then the others, then entries that are not domains. */
function rankRisk(result: ListResult): number {
  if (!isValid(result)) return -2;
  if (result.riskLevel === null) return -1;
  return riskLevels.indexOf(result.riskLevel) * 1000 + (result.independentSourceCount ?? 0);
}

/** Entries without a price come last in both directions. */
function comparePrices(a: PriceRange | null, b: PriceRange | null, direction: 1 | -1): number {
  if (!a || !b) return Number(!a) - Number(!b);
  return (a.min - b.min) * direction;
}

/** '$120', '$35–$60', or '120' without a currency. */
export function formatPrice({ min, max, currency }: PriceRange): string {
  const format = (amount: number) =>
    amount.toLocaleString('en-US', {
      ...(currency !== null && { style: 'currency', currency }),
      minimumFractionDigits: Number.isInteger(amount) ? 0 : 2,
      maximumFractionDigits: 2,
    });
  return min === max ? format(min) : `${format(min)}–${format(max)}`;
}
