import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { type AccountEventKind, listAccountEvents } from '#shared/accounts/account-events.ts';
import type { userFilters } from '#shared/accounts/choices.ts';
import { countUsers, listUsers } from '#shared/accounts/users.ts';
import { getCrawlSetting } from '#shared/blacklist/crawl.ts';
import {
  type BackgroundJob,
  getAdminStatus,
  getSystemInfo,
  listJobs,
  listMaintenanceRuns,
} from '#shared/operations/admin.ts';
import { listAuditEventKinds, listAuditEvents } from '#shared/platform/audit.ts';
import { sessionKey } from '../../accounts/sessions/session.tsx';
import { statsQuery } from '../../blacklist/domains/domains.tsx';
import { call } from '../../platform/api.ts';
import { endpointQuery, paged } from '../../platform/endpoint-query.ts';
import { useListUrl } from '../../platform/use-list-url.ts';
import { pollWhileRunning } from '../../platform/use-run.ts';
import { adminPanelSearch } from './search.ts';

type JobKind = BackgroundJob['kind'];

/** Like `statsQuery`, but reloaded on every mount. */
export const freshStatsQuery = queryOptions({ ...statsQuery, staleTime: 0 });

/** The pending work of admins. Polls, faster while a job is running. */
export const adminStatusQuery = endpointQuery(['admin', 'status'], getAdminStatus, {
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data && state.data.runningJobs > 0 ? 3000 : 60_000),
});

/** Whether pages of other sites are visited. */
export const crawlQuery = endpointQuery(['admin', 'settings', 'crawl'], getCrawlSetting, { staleTime: 0 });

export const userCountQuery = endpointQuery(['admin', 'users', 'count'], countUsers, { staleTime: 0 });

export const usersKey = ['admin', 'users'];

export const usersQuery = (query: { search?: string; show?: (typeof userFilters)[number]; page: number }) =>
  endpointQuery([...usersKey, query], listUsers, { query, ...paged });

/** The current maintenance run, or the last one. */
export const maintenanceQuery = queryOptions({
  queryKey: ['admin', 'maintenance'],
  queryFn: ({ signal }) => call(listMaintenanceRuns, { signal }),
  select: (runs) => runs[0],
  staleTime: 0,
  refetchInterval: pollWhileRunning(2000),
});

export const systemQuery = endpointQuery(['admin', 'system'], getSystemInfo, { staleTime: 0 });

export const jobsQuery = (query: { kind?: JobKind; page: number }) =>
  endpointQuery(['admin', 'jobs', query], listJobs, {
    query,
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.jobs.some(({ state }) => state === 'running' || state === 'waiting') ? 4000 : false,
  });

export const auditEventsQuery = (query: { event?: string; user?: string; page: number }) =>
  endpointQuery(['admin', 'audit-events', query], listAuditEvents, { query, ...paged });

export const accountEventsQuery = (query: { kind?: AccountEventKind; user?: string; page: number }) =>
  endpointQuery(['admin', 'account-events', query], listAccountEvents, { query: { ...query, pageSize: 25 }, ...paged });

export const auditEventKindsQuery = endpointQuery(['admin', 'audit-events', 'kinds'], listAuditEventKinds, {
  staleTime: 0,
});

/** Reloads everything but the session. Call it after a change to the whole blacklist. */
export function refreshAllData(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ predicate: (query) => query.queryKey[0] !== sessionKey[0] });
}

/** Reads and changes the search parameters of the admin panel's URL. */
export const useAdminPanel = () => useListUrl(adminPanelSearch);
