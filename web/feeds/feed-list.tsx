import { Plus, Rss } from 'lucide-react';
import { useState } from 'react';
import type { Feed } from '#shared/feeds.ts';
import { formatCount, plural } from '../lib/format.ts';
import { paths } from '../paths.ts';
import { Button } from '../ui/button.tsx';
import { CardTable, type Column } from '../ui/card-table.tsx';
import { DateText } from '../ui/date-text.tsx';
import { RunProgress } from '../ui/run-progress.tsx';
import { TextLink } from '../ui/screen.tsx';
import { EmptyState } from '../ui/states.tsx';
import { CatalogueDialog } from './catalogue-dialog.tsx';
import { DeleteFeedDialog } from './delete-feed-dialog.tsx';
import {
  describeInterval,
  describeKind,
  formatChange,
  formatNext,
  getChangeShares,
  summarizeFeeds,
} from './describe.ts';
import { FeedActions } from './feed-actions.tsx';
import { FeedFailure, ReviewAlert } from './feed-alerts.tsx';
import { CustomFeedDialog, EditFeedDialog } from './feed-form.tsx';
import styles from './feeds.module.css';
import { ExternalSite, isLoading } from './feeds.tsx';
import { FeedStateLabel } from './status.tsx';

type Dialog = 'catalogue' | 'custom';

interface FeedListProps {
  feeds: Feed[];
  /** The dialog that the URL opens. */
  dialog: Dialog | undefined;
  onOpen(dialog: Dialog): void;
  /** Replaces the open dialog with another one. */
  onSwitch(dialog: Dialog): void;
  onClose(): void;
  /** Called with the id of a run that the user started. */
  onRun(runId: number): void;
}

/** The feeds with their health, and dialogs to add, change and delete them. */
export function FeedList({ feeds, dialog, onOpen, onSwitch, onClose, onRun }: FeedListProps) {
  const [edited, setEdited] = useState<Feed>();
  const [deleted, setDeleted] = useState<Feed>();
  return (
    <>
      {feeds.length === 0 ? (
        <EmptyState
          icon={Rss}
          title="No feeds yet"
          description="Subscribe to public lists with a free license. They fill the blacklist and are downloaded again regularly."
        >
          <div className={styles.actions}>
            <Button data-add-feeds onClick={() => onOpen('catalogue')}>
              Add feeds
            </Button>
            <Button variant="default" onClick={() => onOpen('custom')}>
              Add another list
            </Button>
          </div>
        </EmptyState>
      ) : (
        <>
          <div className={styles.bar}>
            <p className={styles.summary} role="status">
              {summarizeFeeds(feeds)}
            </p>
            <div className={styles.actions}>
              <Button variant="default" onClick={() => onOpen('custom')}>
                Add another list
              </Button>
              <Button data-add-feeds leftSection={<Plus size={16} aria-hidden />} onClick={() => onOpen('catalogue')}>
                Add feeds
              </Button>
            </div>
          </div>
          <CardTable
            label="Feeds"
            columns={getColumns({ onRun, onEdit: setEdited, onDelete: setDeleted })}
            rows={feeds}
            getRowKey={({ id }) => id}
            renderBelow={(feed) => renderNotice(feed, onRun, setEdited)}
          />
        </>
      )}
      <CatalogueDialog opened={dialog === 'catalogue'} onClose={onClose} onCustom={() => onSwitch('custom')} />
      <CustomFeedDialog opened={dialog === 'custom'} onClose={onClose} />
      <EditFeedDialog feed={edited} onClose={() => setEdited(undefined)} />
      <DeleteFeedDialog feed={deleted} onClose={() => setDeleted(undefined)} />
    </>
  );
}

/** What needs attention or is in progress, below the row of a feed. */
function renderNotice(feed: Feed, onRun: (runId: number) => void, onEdit: (feed: Feed) => void) {
  const { name, state, lastRun } = feed;
  if (isLoading(feed)) {
    return (
      <RunProgress
        label={`Download of ${name}`}
        name={lastRun?.message || 'Waiting to start'}
        percent={lastRun?.progress ?? 0}
      />
    );
  }
  if (lastRun?.status === 'review') return <ReviewAlert feed={feed} run={lastRun} onRun={onRun} />;
  return state === 'failing' ? <FeedFailure feed={feed} onEdit={() => onEdit(feed)} /> : undefined;
}

interface Handlers {
  onRun(runId: number): void;
  onEdit(feed: Feed): void;
  onDelete(feed: Feed): void;
}

function getColumns(handlers: Handlers): Column<Feed>[] {
  return [
    { name: 'Feed', onCard: 'title', cell: (feed) => <FeedName feed={feed} /> },
    { name: 'State', width: '138px', cell: (feed) => <FeedStateLabel feed={feed} /> },
    {
      name: 'Last success',
      width: '118px',
      cell: ({ lastSuccessAt }) =>
        lastSuccessAt ? <DateText value={lastSuccessAt} /> : <span className={styles.quiet}>Never</span>,
    },
    { name: 'Next run', width: '112px', cell: (feed) => <NextRun feed={feed} /> },
    { name: 'Domains', width: '86px', isNumber: true, cell: (feed) => <DomainCount feed={feed} /> },
    { name: 'Last change', width: '128px', cell: (feed) => <LastChange feed={feed} /> },
    {
      name: 'Actions',
      // On narrow tables, the buttons wrap, so that the names keep their room.
      width: 'clamp(150px, 40vw - 240px, 290px)',
      onCard: 'actions',
      cell: (feed) => <FeedActions feed={feed} {...handlers} />,
    },
  ];
}

function FeedName({ feed }: { feed: Feed }) {
  const { name, licence, homepage, intervalHours } = feed;
  return (
    <div className={styles.feed}>
      <span className={styles.feedName}>
        {homepage ? <ExternalSite href={homepage}>{name}</ExternalSite> : <bdi>{name}</bdi>}
      </span>
      <span className={styles.feedFacts}>
        <span>{describeKind(feed)}</span>
        <span>{describeInterval(intervalHours)}</span>
        <span>{licence ? `License: ${licence}` : 'No license given'}</span>
      </span>
    </div>
  );
}

function NextRun({ feed: { enabled, nextRunAt } }: { feed: Feed }) {
  if (!enabled || nextRunAt === null) return <span className={styles.quiet}>None</span>;
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
  if (lastRun?.status === 'unchanged') return <span className={styles.quiet}>No changes</span>;
  if (lastRun?.status !== 'updated') return <span className={styles.quiet}>–</span>;
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
