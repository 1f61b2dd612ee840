import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, History } from 'lucide-react';
import type { Feed, FeedRun } from '#shared/blacklist/feeds.ts';
import { paths } from '../../paths.ts';
import { formatBytes, formatCount, plural } from '../../platform/format.ts';
import { Button } from '../../ui/button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ExternalLink } from '../../ui/external-link.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { RunProgress } from '../../ui/run-progress.tsx';
import screen from '../../ui/screen.module.css';
import { TextLink } from '../../ui/screen.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { describeFormat, describeInterval, listRejected } from './describe.ts';
import { FeedActions, type FeedHandlers } from './feed-actions.tsx';
import { renderAlerts } from './feed-alerts.tsx';
import styles from './feeds.module.css';
import { runsPerPage, runsQuery } from './queries.ts';
import { type ListUrl, RunNames } from './run-names.tsx';
import { RunError, RunStatusLabel } from './status.tsx';

interface FeedHistoryProps {
  feed: Feed;
  listUrl: ListUrl;
  handlers: FeedHandlers;
}

/** The runs of a feed, or the names of one run. */
export function FeedHistory({ feed, listUrl, handlers }: FeedHistoryProps) {
  const { run, runs: page = 1 } = listUrl.search;
  if (run === undefined) return <Runs feed={feed} page={page} listUrl={listUrl} handlers={handlers} />;
  return (
    <>
      <div className={screen.bar}>
        <TextLink
          to={paths.adminFeeds}
          search={{ feed: feed.id, ...(page > 1 && { runs: page }) }}
          size="sm"
          className={styles.back}
        >
          <ArrowLeft size={14} aria-hidden /> All runs of {feed.name}
        </TextLink>
      </div>
      <RunNames feed={feed} runId={run} runsPage={page} listUrl={listUrl} onRun={handlers.onRun} />
    </>
  );
}

interface RunsProps {
  feed: Feed;
  /** From 1. */
  page: number;
  listUrl: ListUrl;
  handlers: FeedHandlers;
}

function Runs({ feed, page, listUrl, handlers }: RunsProps) {
  const query = useQuery(runsQuery(feed.id, page - 1));
  const { data: runs, isPlaceholderData } = query;
  const goTo = (next: number) => void listUrl.show({ runs: next > 1 ? next : undefined });
  return (
    <>
      <div className={screen.bar}>
        <TextLink to={paths.adminFeeds} search={{}} size="sm" className={styles.back}>
          <ArrowLeft size={14} aria-hidden /> All feeds
        </TextLink>
        <FeedActions feed={feed} handlers={handlers} />
      </div>
      <p className={`${styles.facts} ${styles.about}`}>
        <ExternalLink href={feed.url}>
          <span data-mono>{feed.url}</span>
        </ExternalLink>
        <span>{describeFormat(feed)}</span>
        <span>{describeInterval(feed.intervalHours)}</span>
      </p>
      <div className={styles.alert}>{renderAlerts(feed, handlers)}</div>
      {!runs && <QueryState query={query} height={320} />}
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
          <Table
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
              <span data-quiet>Page {formatCount(page)}</span>
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
function renderNotice(run: FeedRun) {
  const { status, progress, message, error } = run;
  if (status === 'running') {
    return <RunProgress label="Download" name={message || 'Waiting to start'} percent={progress} />;
  }
  return error ? <RunError run={run} /> : undefined;
}

const getColumns = (feed: Feed, page: number): Column<FeedRun>[] => [
  {
    name: 'Started',
    width: '252px',
    onCard: 'title',
    cell: ({ id, startedAt }) => (
      <TextLink to={paths.adminFeeds} search={{ feed: feed.id, ...(page > 1 && { runs: page }), run: id }} size="sm">
        <DateText value={startedAt} pattern="time" />
      </TextLink>
    ),
  },
  { name: 'Status', width: '138px', cell: (run) => <RunStatusLabel run={run} /> },
  { name: 'Added', width: '84px', isNumber: true, cell: ({ added }) => formatCount(added) },
  { name: 'Removed', width: '92px', isNumber: true, cell: ({ removed }) => formatCount(removed) },
  { name: 'Unchanged', width: '104px', isNumber: true, cell: ({ unchanged }) => formatCount(unchanged) },
  { name: 'Held', width: '70px', isNumber: true, cell: ({ held }) => formatCount(held) },
  {
    name: 'Size',
    width: '98px',
    isNumber: true,
    cell: ({ bytes }) => (bytes === null ? '–' : formatBytes(bytes)),
  },
  { name: 'Skipped lines', cell: (run) => <Rejected run={run} /> },
];

/** The number of skipped lines, which opens to the reasons. */
function Rejected({ run }: { run: FeedRun }) {
  const lines = listRejected(run.rejected);
  // Only a copy that was applied, or that needs review, is counted.
  if (run.status === 'failed') return '–';
  if (lines.length === 0) return <span data-quiet>None</span>;
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
