import { Skeleton, Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Bell, Globe, SearchX } from 'lucide-react';
import { useRef } from 'react';
import type { ResponseOf } from '#shared/platform/endpoint.ts';
import type { Alert, listAlerts } from '#shared/reports/alerts.ts';
import type { Decision } from '#shared/reports/decisions.ts';
import type { Website } from '#shared/reports/websites.ts';
import { paths } from '../../paths.ts';
import { ApiError } from '../../platform/api.ts';
import { plural } from '../../platform/format.ts';
import { useLastPage, useListUrl } from '../../platform/use-list-url.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Screen } from '../../ui/screen.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { LastChange, useDecisionKeys, useDecisions } from '../decisions/decisions.tsx';
import { websitesQuery } from '../websites/websites.ts';
import { AlertFilters, type AlertsUrl } from './alert-filters.tsx';
import { AlertList, findNeedless } from './alert-list.tsx';
import styles from './alerts-page.module.css';
import { groupAlerts } from './groups.ts';
import { alertListKey, alertsPerPage, alertsQuery, useReadAlerts } from './queries.ts';
import { alertsSearch, isFiltered, noFilter } from './search.ts';

/** The screen of alerts: what changed on the blacklist about domains that link to the user's websites. */
export function AlertsPage() {
  const url = useListUrl(alertsSearch);
  const { search, goToPage } = url;
  const list = useQuery(alertsQuery(search));
  const websites = useQuery(websitesQuery);
  const { data } = list;
  const page = (search.page ?? 1) - 1;
  useLastPage(page, list, (lastPage) => void goToPage(lastPage, true));
  const error = (list.data ? null : list.error) ?? (websites.data ? null : websites.error);
  return (
    <Screen title="Alerts" lead="Blacklist changes that affect your links.">
      {error instanceof ApiError && error.status === 404 ? (
        <EmptyState
          icon={SearchX}
          title="Website not found"
          description="It may have been deleted, or it belongs to another account."
        >
          <Button variant="default" onClick={() => void url.show(noFilter)}>
            Show all alerts
          </Button>
        </EmptyState>
      ) : error ? (
        <ErrorState
          title="Error Loading Alerts"
          error={error}
          onRetry={() => void Promise.all([list.refetch(), websites.refetch()])}
        />
      ) : data && websites.data ? (
        <Stack gap="md">
          {(data.alerts.length > 0 || isFiltered(search)) && (
            <AlertFilters url={url} websites={websites.data} unread={data.unread} />
          )}
          {data.alerts.length === 0 ? (
            <NoAlerts url={url} websites={websites.data} />
          ) : (
            <LoadedAlerts
              list={data}
              isStale={list.isPlaceholderData}
              listKey={JSON.stringify(search)}
              onPage={(next) => void goToPage(next + 1)}
            />
          )}
        </Stack>
      ) : (
        <Stack gap="md" data-waiting aria-label="Loading..." role="status">
          {[36, 240, 180].map((height) => (
            <Skeleton key={height} height={height} radius="md" aria-hidden />
          ))}
        </Stack>
      )}
    </Screen>
  );
}

interface LoadedAlertsProps {
  list: ResponseOf<typeof listAlerts>;
  /** Whether the alerts belong to another page, while this one loads. */
  isStale: boolean;
  listKey: string;
  /** `page` is zero-based. */
  onPage(page: number): void;
}

/** A page of alerts, with the decisions about their domains. */
function LoadedAlerts({ list: { alerts, pagination }, isStale, listKey, onPage }: LoadedAlertsProps) {
  const client = useQueryClient();
  const { mutate: read } = useReadAlerts();
  const decisions = useDecisions({
    reload: () => client.invalidateQueries({ queryKey: alertListKey }),
    onStored: () => client.invalidateQueries({ queryKey: websitesQuery.queryKey }),
  });
  const rows = alerts.map((alert) => decisions.toCurrent(alert.profileId, alert));
  const { page, totalPages, total } = pagination;
  const results = useRef<HTMLDivElement>(null);

  const readOne = ({ id, readAt }: Alert) => readAt === null && read({ ids: [id] });
  const decide = (alert: Alert, decision: Decision | null) => {
    decisions.decide(alert.profileId, [alert], decision);
    readOne(alert);
  };
  const undo = useDecisionKeys(results, {
    rows,
    decisions,
    onDecide: decide,
    onKey: ({ index }, decision) => decision !== undefined && decision === findNeedless(rows[index]),
    list: listKey,
    isStale,
    hasPreviousPage: page > 0,
    hasNextPage: page + 1 < totalPages,
    turnPage: (step) => onPage(page + step),
  });

  return (
    <div>
      {decisions.changes.length > 0 && (
        <div className={styles.last}>
          <LastChange
            change={decisions.changes.at(-1)}
            // The button disappears with the last change.
            onUndo={() => undo({ movesFocus: decisions.changes.length === 1 })}
          />
        </div>
      )}
      <div ref={results} className={styles.groups} data-stale={isStale || undefined} tabIndex={-1}>
        <AlertList
          groups={groupAlerts(rows, pagination)}
          onDecide={decide}
          onOpen={readOne}
          onRead={(ids) => read({ ids })}
        />
      </div>
      <Pagination page={page} pageSize={alertsPerPage} total={total} label="Pages of alerts" onChange={onPage} />
    </div>
  );
}

/** Why there are no alerts, and what to do next. */
function NoAlerts({ url: { search, show }, websites }: { url: AlertsUrl; websites: readonly Website[] }) {
  if (isFiltered(search)) {
    const isUnreadOnly = search.unread && !search.website && !search.event;
    return (
      <EmptyState
        icon={SearchX}
        title={isUnreadOnly ? 'No unread alerts' : 'No matching alerts'}
        description={isUnreadOnly ? 'You have read all alerts.' : 'Try other filters.'}
      >
        <Button variant="default" onClick={() => void show(noFilter)}>
          Show all alerts
        </Button>
      </EmptyState>
    );
  }
  const watched = websites.filter(({ watch }) => watch.enabled && watch.hosts > 0);
  if (watched.length > 0) {
    const hosts = watched.reduce((sum, { watch }) => sum + watch.hosts, 0);
    return (
      <EmptyState
        icon={Bell}
        title="No alerts yet"
        description={`${plural(watched.length, 'website')} with ${plural(hosts, 'host')} ${watched.length === 1 ? 'is' : 'are'} watched. They are checked whenever the blacklist changes.`}
      >
        <ButtonLink variant="default" to={paths.account} search={{ tab: 'notifications' }}>
          Alert settings
        </ButtonLink>
      </EmptyState>
    );
  }
  const hasExport = websites.some(({ watch }) => watch.hosts > 0);
  return (
    <EmptyState
      icon={Globe}
      title={hasExport ? 'No website is watched' : websites.length > 0 ? 'No export yet' : 'No websites yet'}
      description={
        hasExport
          ? 'Turn on the watch of a website to get alerts.'
          : 'Upload the backlink export of a website. Its hosts are then checked whenever the blacklist changes.'
      }
    >
      {hasExport ? (
        <ButtonLink to={paths.account} search={{ tab: 'notifications' }}>
          Alert settings
        </ButtonLink>
      ) : (
        <ButtonLink to={paths.riskAssessment}>Upload backlinks</ButtonLink>
      )}
    </EmptyState>
  );
}
