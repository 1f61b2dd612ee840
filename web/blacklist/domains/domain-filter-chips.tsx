import type { DomainFilter } from '#shared/blacklist/domains.ts';
import { FilterChips } from '../../ui/filter-chips.tsx';
import { confidenceLabels, riskLabels } from './domains.tsx';
import { type DomainsScreen, noFilter, showAndFocus } from './search.ts';

/** The active filters, each with a button to remove it. The code loads only when a filter is active. */
export function DomainFilterChips({ screen, isAdmin }: { screen: DomainsScreen; isAdmin: boolean }) {
  const chips = getChips(screen.search, isAdmin);
  if (chips.length === 0) return null;
  return (
    <FilterChips
      filters={chips}
      onRemove={(name) => showAndFocus(screen, { [name]: undefined })}
      onClear={() => showAndFocus(screen, noFilter)}
    />
  );
}

function getChips(filter: DomainFilter, isAdmin: boolean): { name: keyof DomainFilter; text: string }[] {
  const { search, tld, dateAdded, source, niche, riskLevel, confidence } = filter;
  const texts: Partial<Record<keyof DomainFilter, string | undefined>> = {
    search: search && `Domain contains ${search}`,
    filter: filter.filter === 'recent' ? 'Recently added' : undefined,
    tld: tld && `.${tld.replace(/^\./, '')}`,
    dateAdded: dateAdded && `Added after ${formatDay(dateAdded)}`,
    source: isAdmin ? source && `Source: ${source}` : undefined,
    niche: niche && `Niche: ${niche}`,
    riskLevel: riskLevel && `${riskLabels[riskLevel]} Risk`,
    confidence: confidence && `Confidence: ${confidenceLabels[confidence]}`,
  };
  return (Object.keys(texts) as (keyof DomainFilter)[]).flatMap((name) => {
    const text = texts[name];
    return text ? [{ name, text }] : [];
  });
}

const days = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' });

/** Formats a date without a time: `2026-01-05` as 'Jan 5, 2026'. */
export function formatDay(day: string): string {
  return days.format(new Date(day));
}
