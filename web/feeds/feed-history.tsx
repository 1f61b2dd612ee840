import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, History } from 'lucide-react';
import type { Feed, FeedRun } from '#shared/feeds.ts';
import { formatBytes, formatCount, plural } from '../lib/format.ts';
import type { useListUrl } from '../lib/use-list-url.ts';
import { paths } from '../paths.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { CardTable, type Column } from '../ui/card-table.tsx';
import { DateText } from '../ui/date-text.tsx';
import { RunProgress } from '../ui/run-progress.tsx';
import { TextLink } from '../ui/screen.tsx';
import { EmptyState, ErrorState } from '../ui/states.tsx';
import { listRejected } from './describe.ts';
import { FeedFailure, ReviewAlert } from './feed-alerts.tsx';
import styles from './feeds.module.css';
import { runsPerPage, runsQuery } from './queries.ts';
import { RunNames } from './run-names.tsx';
import type { FeedsSearch } from './search.ts';
import { RunStatusLabel } from './status.tsx';

export type ListUrl = ReturnType<typeof useListUrl<FeedsSearch>>;

interface FeedHistoryProps {
  /** Undefined if there is no such feed. */
  feed: Feed | undefined;
  listUrl: ListUrl;
  /** Called with the id of a run that the user started. */
  onRun(runId: number): void;
}

/** The runs of a feed, or the names of one run. */
export function FeedHistory({ feed, listUrl, onRun }: FeedHistoryProps) {
  const { run: runId, runs: runsPage = 1 } = listUrl.search;
  if (!feed) {
    return (
      <EmptyState title="There is no such feed" description="It was probably deleted.">
        <ButtonLink to={paths.adminFeeds} search={{}} variant="default">
          Show all feeds
        </ButtonLink>
      </EmptyState>
    );
  }
  return (
    <>
      <p className={styles.back}>
        {runId === undefined ? (
          <TextLink to={paths.adminFeeds} search={{}} size="sm">
            <ArrowLeft size={14} aria-hidden /> All feeds
          </TextLink>
        ) : (
          <TextLink to={paths.adminFeeds} search={{ feed: feed.id, ...(runsPage > 1 && { runs: runsPage }) }} size="sm">
            <ArrowLeft size={14} aria-hidden /> All runs of {feed.name}
          </TextLink>
        )}
      </p>
      {runId === undefined ? (
        <Runs feed={feed} page={runsPage} listUrl={listUrl} onRun={onRun} />
      ) : (
        <RunNames feed={feed} runId={runId} runsPage={runsPage} listUrl={listUrl} onRun={onRun} />
      )}
    </>
  );
}

interface RunsProps {
  feed: Feed;
  /** From 1. */
  page: number;
  listUrl: ListUrl;
  onRun(runId: number): void;
}

function Runs({ feed, page, listUrl, onRun }: RunsProps) {
  const { data: runs, error, refetch, isFetching, isPlaceholderData } = useQuery(runsQuery(feed.id, page - 1));
  const goTo = (next: number) => void listUrl.show({ runs: next > 1 ? next : undefined });
  const { lastRun } = feed;
  return (
    <>
      {lastRun?.status === 'review' && (
        <div className={styles.alert}>
          <ReviewAlert feed={feed} run={lastRun} onRun={onRun} />
        </div>
      )}
      {feed.state === 'failing' && lastRun?.status === 'failed' && (
        <div className={styles.alert}>
          <FeedFailure feed={feed} />
        </div>
      )}
      {!runs && error && <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} />}
      {!runs && !error && <Skeleton height={320} radius="md" data-waiting />}
      {runs?.length === 0 && (
        <EmptyState
          icon={History}
          title={page > 1 ? 'No older runs' : 'No runs yet'}
          description={page > 1 ? undefined : 'The first download has not started.'}
        >
          {page > 1 && (
            <Button variant="default" onClick={() => goTo(1)}>
              Show the newest runs
            </Button>
          )}
        </EmptyState>
      )}
      {runs && runs.length > 0 && (
        <>
          <CardTable
            label={`Runs of ${feed.name}`}
            columns={getColumns(feed, page)}
            rows={runs}
            getRowKey={({ id }) => id}
            renderBelow={renderNotice}
            isStale={isPlaceholderData}
          />
          {(page > 1 || runs.length === runsPerPage) && (
            <nav className={styles.pager} aria-label="Pages of runs">
              <Button size="xs" variant="default" disabled={page === 1} onClick={() => goTo(page - 1)}>
                Newer runs
              </Button>
              <span className={styles.quiet}>Page {formatCount(page)}</span>
              <Button size="xs" variant="default" disabled={runs.length < runsPerPage} onClick={() => goTo(page + 1)}>
                Older runs
              </Button>
            </nav>
          )}
        </>
      )}
    </>
  );
}

/** The progress or the error of a run, below its row. */
function renderNotice({ status, progress, message, error }: FeedRun) {
  if (status === 'running') {
    return <RunProgress label="Download" name={message || 'Waiting to start'} percent={progress} />;
  }
  if (!error) return undefined;
  return (
    <Text size="sm" c="var(--mantine-color-error)">
      {error}
    </Text>
  );
}

const getColumns = (feed: Feed, page: number): Column<FeedRun>[] => [
  {
    name: 'Started',
    width: '206px',
    onCard: 'title',
    cell: ({ id, startedAt }) => (
      <TextLink to={paths.adminFeeds} search={{ feed: feed.id, ...(page > 1 && { runs: page }), run: id }} size="sm">
        <DateText value={startedAt} pattern="time" />
      </TextLink>
    ),
  },
  { name: 'Status', width: '138px', cell: ({ status }) => <RunStatusLabel status={status} /> },
  { name: 'Added', width: '84px', isNumber: true, cell: ({ added }) => formatCount(added) },
  { name: 'Removed', width: '92px', isNumber: true, cell: ({ removed }) => formatCount(removed) },
  { name: 'Unchanged', width: '104px', isNumber: true, cell: ({ unchanged }) => formatCount(unchanged) },
  { name: 'Held', width: '70px', isNumber: true, cell: ({ held }) => formatCount(held) },
  {
    name: 'Size',
    width: '86px',
    isNumber: true,
    cell: ({ bytes }) => (bytes === null ? '–' : formatBytes(bytes)),
  },
  { name: 'Not used', cell: (run) => <Rejected run={run} /> },
];

/** The number of lines that are not used, which opens to the reasons. */
function Rejected({ run }: { run: FeedRun }) {
  const lines = listRejected(run.rejected);
  if (lines.length === 0) return <span className={styles.quiet}>None</span>;
  const total = lines.reduce((sum, { count }) => sum + count, 0);
  return (
    <details className={styles.rejected}>
      <summary>{plural(total, 'line')}</summary>
      <dl>
        {lines.map(({ name, meaning, count }) => (
          <div key={name}>
            <dt>
              {name}: {formatCount(count)}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
