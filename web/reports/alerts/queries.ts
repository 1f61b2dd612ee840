import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { BodyOf, ResponseOf } from '#shared/platform/endpoint.ts';
import { listAlerts, readAlerts } from '#shared/reports/alerts.ts';
import { call } from '../../platform/api.ts';
import { formatCount } from '../../platform/format.ts';
import { toastError, toastUndoable } from '../../ui/toast.tsx';
import { websitesQuery } from '../websites/websites.ts';
import type { AlertsSearch } from './search.ts';

export const alertsPerPage = 50;

/** The prefix of all lists of alerts. */
export const alertListKey = ['alerts', 'list'];

/** The page of alerts that the URL describes. */
export const alertsQuery = ({ website, event, unread, page = 1 }: AlertsSearch) =>
  queryOptions({
    queryKey: [...alertListKey, { website, event, unread }, page],
    queryFn: ({ signal }) =>
      call(listAlerts, {
        query: { profileId: website, event, unread, page: page - 1, pageSize: alertsPerPage },
        signal,
      }),
    placeholderData: (previousData) => previousData,
    staleTime: 0,
  });

/** How often the number of unread alerts is loaded while the page is visible, in milliseconds. */
const unreadIntervalMs = 60_000;

/** The number of all unread alerts. */
export const unreadQuery = queryOptions({
  queryKey: ['alerts', 'unread'],
  queryFn: async ({ signal }) => (await call(listAlerts, { query: { unread: 'true', pageSize: 1 }, signal })).unread,
  refetchInterval: unreadIntervalMs,
  refetchOnWindowFocus: true,
  staleTime: 0,
});

/**
 * Marks alerts as read. Those on the screen stay, even in a list of unread ones, so that the user keeps their place.
 */
export function useReadAlerts() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyOf<typeof readAlerts>) => call(readAlerts, { body }),
    onSuccess: ({ unread, readAt }, body) => {
      if (body.all || (body.ids?.length ?? 0) > 1) {
        toastUndoable('Alerts Marked as Read', `${formatCount(unread)} unread`, () => undoReading(client, readAt));
      }
      client.setQueryData<number>(unreadQuery.queryKey, unread);
      client.setQueriesData<ResponseOf<typeof listAlerts>>({ queryKey: alertListKey }, (list) => {
        if (!list) return list;
        const alerts = list.alerts.map((alert) =>
          alert.readAt === null && isSelected(alert, body) ? { ...alert, readAt } : alert,
        );
        return { ...list, alerts, unread };
      });
      void client.invalidateQueries({ queryKey: websitesQuery.queryKey });
    },
    onError: (error) => toastError('Alerts Not Marked as Read', error.message),
  });
}

/** Marks the alerts of a call as unread again. */
async function undoReading(client: QueryClient, readAt: string): Promise<void> {
  await call(readAlerts, { body: { undo: readAt } });
  for (const { queryKey } of [{ queryKey: ['alerts'] }, websitesQuery]) await client.invalidateQueries({ queryKey });
}

function isSelected({ id, profileId }: { id: number; profileId: number }, body: BodyOf<typeof readAlerts>): boolean {
  if (body.ids) return body.ids.includes(id);
  return body.profileId === undefined || body.profileId === profileId;
}
