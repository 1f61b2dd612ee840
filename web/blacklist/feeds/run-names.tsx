import { Tabs, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Feed, FeedRun } from '#shared/blacklist/feeds.ts';
import { paths } from '../../paths.ts';
import { formatCount } from '../../platform/format.ts';
import { useLastPage, type useListUrl } from '../../platform/use-list-url.ts';
import { Button } from '../../ui/button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ListSearch } from '../../ui/list-search.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import screen from '../../ui/screen.module.css';
import { TextLink } from '../../ui/screen.tsx';
import { Breakable } from '../../ui/text.tsx';
import { ReviewAlert } from './feed-alerts.tsx';
import styles from './feeds.module.css';
import { changesQuery, runsQuery } from './queries.ts';
import type { FeedsSearch } from './search.ts';
import { RunError, RunStatusLabel } from './status.tsx';

const namesPerPage = 60;

export type ListUrl = ReturnType<typeof useListUrl<FeedsSearch>>;

interface RunNamesProps {
  feed: Feed;
  runId: number;
  /** The page of the history that the run is on, from 1. */
  runsPage: number;
  listUrl: ListUrl;
  onRun(runId: number): void;
}

/** The names that a run added and removed, or would in review, with a search. */
export function RunNames({ feed, runId, runsPage, listUrl, onRun }: RunNamesProps) {
  // No endpoint returns one run. A link from elsewhere may name an older run, which is then shown without its numbers.
  const history = useQuery(runsQuery(feed.id, runsPage - 1));
  const runs = history.data;
  const run = [...(runs ?? []), feed.lastRun, feed.review].find((one) => one?.id === runId) ?? undefined;
  // In review, the removed names are what the decision is about.
  const removedFirst = run !== undefined && (run.status === 'review' || (run.added === 0 && run.removed > 0));
  const { search, page = 1, change = removedFirst ? 'removed' : 'added' } = listUrl.search;
  const names = useQuery({
    ...changesQuery(feed.id, runId, { change, search, page: page - 1, pageSize: namesPerPage }),
    enabled: runs !== undefined,
  });
  const { data, isPlaceholderData } = names;
  // The names are requested after the runs.
  const query = runs ? names : history;
  useLastPage(page - 1, names, (last) => void listUrl.goToPage(last, true));
  const isReview = run?.status === 'review';
  const countOf = (one: 'added' | 'removed') => (run ? ` (${formatCount(run[one])})` : '');
  return (
    <>
      <div className={styles.runHead}>
        <Title order={2} size="h3">
          {run ? (
            <>
              Run of <DateText value={run.startedAt} pattern="time" />
            </>
          ) : (
            `Run ${runId}`
          )}
        </Title>
        {run && <RunStatusLabel run={run} />}
      </div>
      {run && isReview && (
        <div className={styles.alert}>
          <ReviewAlert feed={feed} run={run} onRun={onRun} withoutSample />
        </div>
      )}
      {run?.error && (
        <div className={styles.alert}>
          <RunError run={run} />
        </div>
      )}
      <Tabs
        value={change}
        onChange={(next) =>
          void listUrl.show({ change: next === 'removed' ? 'removed' : 'added', search: undefined }, true)
        }
      >
        <Tabs.List className={screen.tabs}>
          <Tabs.Tab value="added">
            {isReview ? 'Would be added' : 'Added'}
            {countOf('added')}
          </Tabs.Tab>
          <Tabs.Tab value="removed">
            {isReview ? 'Would be removed' : 'Removed'}
            {countOf('removed')}
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value={change} className={screen.panel}>
          <div className={screen.bar}>
            <ListSearch
              label="Search domains"
              value={search}
              maxLength={253}
              onApply={(next) => void listUrl.show({ search: next }, search !== undefined && next !== undefined)}
            />
          </div>
          {!data && <QueryState query={query} height={240} />}
          {data && data.names.length === 0 && (
            <NoNames
              run={run}
              change={change}
              search={search}
              onClear={() => void listUrl.show({ search: undefined })}
            />
          )}
          {data && data.names.length > 0 && (
            <ul
              className={styles.names}
              aria-label={change === 'added' ? 'Added domains' : 'Removed domains'}
              data-stale={isPlaceholderData || undefined}
            >
              {data.names.map((name) => (
                <li key={name}>
                  <TextLink to={paths.domainPage} params={{ name }} size="sm">
                    <bdi dir="ltr" data-mono>
                      <Breakable>{name}</Breakable>
                    </bdi>
                  </TextLink>
                </li>
              ))}
            </ul>
          )}
          {data && (
            <Pagination
              page={page - 1}
              pageSize={data.pagination.pageSize}
              total={data.pagination.total}
              label="Pages of domains"
              onChange={(next) => void listUrl.goToPage(next + 1)}
            />
          )}
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

interface NoNamesProps {
  run: FeedRun | undefined;
  change: 'added' | 'removed';
  search: string | undefined;
  onClear(): void;
}

function NoNames({ run, change, search, onClear }: NoNamesProps) {
  if (search !== undefined) {
    return (
      <EmptyState title="No domains found" description="Try another part of a name." order={3}>
        <Button variant="default" onClick={onClear}>
          Show all domains
        </Button>
      </EmptyState>
    );
  }
  if (run?.status === 'running') {
    return (
      <EmptyState
        title="The download is not finished"
        description="The domains appear here when the download finishes."
        order={3}
      />
    );
  }
  return <EmptyState title={change === 'added' ? 'No domains were added' : 'No domains were removed'} order={3} />;
}
