import { type DomainQuery, riskLevels } from '#shared/domains.ts';
import { forbidden } from '../http/errors.ts';
import { nothing, searchText } from './search-text.ts';

/** The conditions of a list, each undefined where it does not apply. */
export interface Matches {
  /** In the name; only characters that names have. */
  text: string | undefined;
  tld: string | undefined;
  niche: string | undefined;
  /** 1 low to 4 very high. */
  riskLevel: number | undefined;
  source: string | undefined;
  /** Added at this moment, the begin of a day in UTC, or later. */
  since: Date | undefined;
}

const recentDays = 30;
const day = 86_400_000;

/** Reads a query's conditions; undefined when nothing can match. Throws 403 when somebody else than an admin asks about sources. */
export function matchesOf(query: DomainQuery, isAdmin: boolean, now: Date): Matches | undefined {
  if (!isAdmin && (query.source || query.sort?.startsWith('source'))) {
    throw forbidden('Only administrators can filter or sort by source.');
  }
  const text = searchText(query.search);
  if (text === nothing) return undefined;
  const today = Math.floor(now.getTime() / day) * day;
  const starts = [
    ...(query.filter === 'recent' ? [today - recentDays * day] : []),
    ...(query.dateAdded ? [Date.parse(query.dateAdded)] : []),
  ];
  return {
    text,
    tld: query.tld?.replace(/^\.+/, '').toLowerCase() || undefined,
    niche: query.niche || undefined,
    riskLevel: query.riskLevel && riskLevels.indexOf(query.riskLevel) + 1,
    source: query.source || undefined,
    since: starts.length > 0 ? new Date(Math.max(...starts)) : undefined,
  };
}

/** Names of the conditions that apply. */
export function conditionsOf(matches: Matches): (keyof Matches)[] {
  const names: (keyof Matches)[] = ['text', 'tld', 'niche', 'riskLevel', 'source', 'since'];
  return names.filter((name) => matches[name] !== undefined);
}

/** No conditions: every domain. */
export const noMatches: Matches = {
  text: undefined,
  tld: undefined,
  niche: undefined,
  riskLevel: undefined,
  source: undefined,
  since: undefined,
};
