import type { QueryInputOf, ResponseOf } from '#shared/platform/endpoint.ts';
import {
  getSharedReport,
  listSharedBacklinks,
  listSharedDomains,
  type SharedBacklink,
} from '#shared/reports/report-shares.ts';
import { listHarmfulBacklinks, listToxicDomains } from '#shared/reports/reports.ts';
import { call } from '../../../platform/api.ts';

type DomainPage = ResponseOf<typeof listToxicDomains>;
type LinkPage = Pick<ResponseOf<typeof listHarmfulBacklinks>, 'pagination'> & { backlinks: SharedBacklink[] };

/** Where the lists of the page come from: a report of the user, or one that is shared with the reader. */
export interface ReportSource {
  /** The id of the report or the token of the link. */
  id: number | string;
  listDomains(query: QueryInputOf<typeof listToxicDomains>, signal?: AbortSignal): Promise<DomainPage>;
  listLinks(query: QueryInputOf<typeof listSharedBacklinks>, signal?: AbortSignal): Promise<LinkPage>;
}

/** A report of the user. */
export function toOwnReport(id: number): ReportSource & { id: number } {
  return {
    id,
    listDomains: (query, signal) => call(listToxicDomains, { params: { id }, query, ...(signal && { signal }) }),
    listLinks: (query, signal) => call(listHarmfulBacklinks, { params: { id }, query, ...(signal && { signal }) }),
  };
}

/** The report that a link leads to. */
export function toSharedReport(token: string): ReportSource & { id: string } {
  return {
    id: token,
    listDomains: async (query, signal) => {
      const page = await call(listSharedDomains, { params: { token }, query, ...(signal && { signal }) });
      // Readers get neither.
      return { ...page, domains: page.domains.map((domain) => ({ ...domain, domainId: null, note: '' })) };
    },
    listLinks: (query, signal) => call(listSharedBacklinks, { params: { token }, query, ...(signal && { signal }) }),
  };
}

/** Loads a shared report. `lost` includes lost links in its overview. */
export const loadSharedReport = (token: string, lost: 'include' | undefined, signal: AbortSignal) =>
  call(getSharedReport, { params: { token }, query: { lost }, signal });
