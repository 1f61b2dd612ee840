import { Plus, Rss } from 'lucide-react';
import type { Feed } from '#shared/blacklist/feeds.ts';
import { paths } from '../../paths.ts';
import { formatCount, plural } from '../../platform/format.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ExternalLink } from '../../ui/external-link.tsx';
import { RunProgress } from '../../ui/run-progress.tsx';
import screen from '../../ui/screen.module.css';
import { TextLink } from '../../ui/screen.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { CatalogueDialog } from './catalogue-dialog.tsx';
import {
  describeInterval,
  describeKind,
  formatChange,
  formatNext,
  getChangeShares,
  summarizeFeeds,
} from './describe.ts';
import { FeedActions, type FeedHandlers } from './feed-actions.tsx';
import { renderAlerts } from './feed-alerts.tsx';
import { CustomFeedDialog } from './feed-form.tsx';
import styles from './feeds.module.css';
import { isOffline, OfflineAlert, RetryAll } from './offline.tsx';
import { isLoading } from './queries.ts';
import type { ListUrl } from './run-names.tsx';
import { FeedStateLabel } from './status.tsx';

interface FeedListProps {
  feeds: Feed[];
  listUrl: ListUrl;
  handlers: FeedHandlers;
}

/** The feeds with their health, and dialogs to add feeds. */
export function FeedList({ feeds, listUrl, handlers }: FeedListProps) {
  const { dialog } = listUrl.search;
  const cannotReach = isOffline(feeds.filter(({ enabled }) => enabled));
  const open = (next: typeof dialog) => void listUrl.openDialog({ dialog: next });
  return (
    <>
      {feeds.length === 0 ? (
        <EmptyState
          icon={Rss}
          title="No feeds yet"
          description="Subscribe to public lists with a free license. They fill the blacklist and are downloaded again regularly."
        >
          <div className={screen.actions}>
            <Button data-add-feeds onClick={() => open('catalogue')}>
              Add feeds
            </Button>
            <Button variant="default" onClick={() => open('custom')}>
              Add another list
            </Button>
          </div>
        </EmptyState>
      ) : (
        <>
          <div className={screen.bar}>
            <p className={styles.summary} role="status">
              {summarizeFeeds(feeds)}
            </p>
            <div className={screen.actions}>
              <Button variant="default" onClick={() => open('custom')}>
                Add another list
              </Button>
              <Button data-add-feeds leftSection={<Plus size={16} aria-hidden />} onClick={() => open('catalogue')}>
                Add feeds
              </Button>
            </div>
          </div>
          {cannotReach && (
            <OfflineAlert>
              <ButtonLink to={paths.adminPanel} size="xs" variant="default">
                Import a CSV
              </ButtonLink>
              <RetryAll feeds={feeds} size="xs" variant="default" />
            </OfflineAlert>
          )}
          <div className={styles.table}>
            <Table
              label="Feeds"
              columns={getColumns(handlers)}
              rows={feeds}
              getRowKey={({ id }) => id}
              renderBelow={(feed) => renderNotice(feed, handlers, cannotReach)}
            />
          </div>
        </>
      )}
      <CatalogueDialog
        opened={dialog === 'catalogue'}
        onClose={listUrl.close}
        onCustom={() => void listUrl.switchDialog({ dialog: 'custom' })}
      />
      <CustomFeedDialog opened={dialog === 'custom'} onClose={listUrl.close} />
    </>
  );
}

/** What is in progress or needs attention, below the row of a feed. */
function renderNotice(feed: Feed, handlers: FeedHandlers, isExplained: boolean) {
  if (!isLoading(feed)) return renderAlerts(feed, handlers, isExplained);
  const { name, lastRun } = feed;
  return (
    <RunProgress
      label={`Download of ${name}`}
      name={lastRun?.message || 'Waiting to start'}
      percent={lastRun?.progress ?? 0}
    />
  );
}

function getColumns(handlers: FeedHandlers): Column<Feed>[] {
  return [
    { name: 'Feed', onCard: 'title', cell: (feed) => <FeedName feed={feed} /> },
    { name: 'State', width: '138px', cell: (feed) => <FeedStateLabel feed={feed} /> },
    {
      name: 'Last success',
      width: '118px',
      cell: ({ lastSuccessAt }) => (lastSuccessAt ? <DateText value={lastSuccessAt} /> : <span data-quiet>Never</span>),
    },
    { name: 'Next run', width: '112px', cell: (feed) => <NextRun feed={feed} /> },
    { name: 'Domains', width: '86px', isNumber: true, cell: (feed) => <DomainCount feed={feed} /> },
    { name: 'Last change', width: '128px', cell: (feed) => <LastChange feed={feed} /> },
    {
      name: 'Actions',
      // On narrow tables, the buttons wrap, so that the names keep their room.
      width: 'clamp(150px, 40cqw - 205px, 290px)',
      onCard: 'actions',
      cell: (feed) => <FeedActions feed={feed} handlers={handlers} withHistory />,
    },
  ];
}

function FeedName({ feed }: { feed: Feed }) {
  const { name, licence, homepage, intervalHours } = feed;
  return (
    <div className={styles.feed}>
      <span className={styles.feedName}>
        {homepage ? <ExternalLink href={homepage}>{name}</ExternalLink> : <bdi>{name}</bdi>}
      </span>
      <span className={styles.feedFacts}>
        <span>{describeKind(feed)}</span>
        <span>{describeInterval(intervalHours)}</span>
        <span>{licence ? `License: ${licence}` : 'License not stated'}</span>
      </span>
    </div>
  );
}

function NextRun({ feed: { enabled, nextRunAt } }: { feed: Feed }) {
  if (!enabled || nextRunAt === null) return <span data-quiet>None</span>;
  return <DateText value={nextRunAt} text={formatNext(nextRunAt)} />;
}

function DomainCount({ feed: { name, kind, domains } }: { feed: Feed }) {
  if (kind === 'allow' || domains === 0) return formatCount(domains);
  return (
    <TextLink
      to={paths.domains}
      search={{ source: name }}
      size="sm"
      aria-label={`${plural(domains, 'domain')} of ${name}`}
    >
      {formatCount(domains)}
    </TextLink>
  );
}

/** What the last run changed: a bar to the left for removed, to the right for added domains, and the numbers. */
function LastChange({ feed }: { feed: Feed }) {
  const { id, domains, lastRun } = feed;
  if (lastRun?.status === 'unchanged') return <span data-quiet>No changes</span>;
  if (lastRun?.status !== 'updated') return <span data-quiet>–</span>;
  const shares = getChangeShares(lastRun, domains);
  return (
    <TextLink
      to={paths.adminFeeds}
      search={{ feed: id, run: lastRun.id }}
      className={styles.change}
      title={`${plural(lastRun.added, 'domain')} added, ${formatCount(lastRun.removed)} removed`}
    >
      <span className={styles.changeBar} aria-hidden>
        <span style={{ width: `${shares.removed * 50}%` }} data-removed />
        <span style={{ width: `${shares.added * 50}%` }} />
      </span>
      {formatChange(lastRun)}
    </TextLink>
  );
}
