import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { countUsers } from '#shared/accounts.ts';
import { type BackgroundJob, listActKinds, listActs, listJobs, listMaintenance, systemState } from '#shared/admin.ts';
import { countMessages } from '#shared/messages.ts';
import { listSubmissions } from '#shared/submissions.ts';
import { listUsers } from '#shared/users.ts';
import { statsQuery } from '../domains/domains.tsx';
import { call } from '../lib/api.ts';
import { pollWhileRunning } from '../lib/use-run.ts';
import { paths } from '../paths.ts';
import { sessionKey } from '../session/session.tsx';
import type { AdminPanelSearch } from './search.ts';

type JobKind = BackgroundJob['kind'];

/** As the blacklist's own screen asks, but never taken from the cache. */
export const freshStatsQuery = queryOptions({ ...statsQuery, staleTime: 0 });

export const userCountQuery = queryOptions({
  queryKey: ['admin', 'users', 'count'],
  queryFn: ({ signal }) => call(countUsers, { signal }),
  staleTime: 0,
});

/** Messages that nobody has read. */
export const unreadQuery = queryOptions({
  queryKey: ['admin', 'unread'],
  queryFn: async ({ signal }) => (await call(countMessages, { signal })).new,
  staleTime: 0,
});

/** Submissions that wait for a decision. */
export const pendingQuery = queryOptions({
  queryKey: ['admin', 'pending'],
  queryFn: async ({ signal }) =>
    (await call(listSubmissions, { query: { status: 'pending', pageSize: 5 }, signal })).total,
  staleTime: 0,
});

export const usersKey = ['admin', 'users'];

export const usersQuery = (query: { search?: string; show?: 'all' | 'admins' | 'disabled'; page: number }) =>
  queryOptions({
    queryKey: [...usersKey, query],
    queryFn: ({ signal }) => call(listUsers, { query, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

/** The maintenance that is under way, or the last one. */
export const maintenanceQuery = queryOptions({
  queryKey: ['admin', 'maintenance'],
  queryFn: ({ signal }) => call(listMaintenance, { signal }),
  select: (runs) => runs[0],
  staleTime: 0,
  refetchInterval: pollWhileRunning(2000),
});

export const systemQuery = queryOptions({
  queryKey: ['admin', 'system'],
  queryFn: ({ signal }) => call(systemState, { signal }),
  staleTime: 0,
});

export const jobsQuery = (query: { kind?: JobKind; page: number }) =>
  queryOptions({
    queryKey: ['admin', 'jobs', query],
    queryFn: ({ signal }) => call(listJobs, { query, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.jobs.some(({ state }) => state === 'running' || state === 'waiting') ? 4000 : false,
  });

export const actsQuery = (query: { act?: string; person?: string; page: number }) =>
  queryOptions({
    queryKey: ['admin', 'acts', query],
    queryFn: ({ signal }) => call(listActs, { query, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

export const actKindsQuery = queryOptions({
  queryKey: ['admin', 'acts', 'kinds'],
  queryFn: ({ signal }) => call(listActKinds, { signal }),
  staleTime: 0,
});

/** After a change of the blacklist as a whole: every answer but the session is asked for again. */
export function forgetBlacklist(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ predicate: (query) => query.queryKey[0] !== sessionKey[0] });
}

const route = getRouteApi('/admin-only/admin/panel');

/** The address of the admin panel as state: what it says, and how to change it. */
export function usePanel() {
  const search = route.useSearch();
  const navigate = useNavigate();
  return {
    search,
    tab: search.tab ?? 'import',
    /** Named parts change; `undefined` leaves the address. */
    go: (change: Partial<AdminPanelSearch>) =>
      navigate({ to: paths.adminPanel, search: { ...search, ...change }, resetScroll: false }),
    /** To another tab; an import that is watched there stays watched. */
    goToTab: (tab: AdminPanelSearch['tab']) =>
      navigate({ to: paths.adminPanel, search: { tab, job: search.job }, resetScroll: false }),
  };
}
