import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Feed, FeedRun } from '#shared/blacklist/feeds.ts';
import { paths } from '../../paths.ts';
import { useListUrl } from '../../platform/use-list-url.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Screen } from '../../ui/screen.tsx';
import { toastError, toastSuccess } from '../../ui/toast.tsx';
import { refreshDomains } from '../domains/domains.tsx';
import { DeleteFeedDialog } from './delete-feed-dialog.tsx';
import { describeResult } from './describe.ts';
import type { FeedHandlers } from './feed-actions.tsx';
import { EditFeedDialog } from './feed-form.tsx';
import { FeedHistory } from './feed-history.tsx';
import { FeedList } from './feed-list.tsx';
import { feedsQuery, refreshFeeds } from './queries.ts';
import type { ListUrl } from './run-names.tsx';
import { feedsSearch } from './search.ts';

const noDialog = { dialog: undefined };

/** The admin screen of feeds: the list of feeds or the history of one, and the dialogs to change and delete a feed. */
export function FeedsPage() {
  const listUrl = useListUrl(feedsSearch, noDialog);
  const { feed: id, run } = listUrl.search;
  const { query, expectRun } = useFeeds();
  const [edited, setEdited] = useState<Feed>();
  const [deleted, setDeleted] = useState<Feed>();
  useFocusOnNewView(`${id} ${run}`);
  const { data: feeds } = query;
  const handlers = { onRun: expectRun, onEdit: setEdited, onDelete: setDeleted };
  return (
    <>
      {feeds && id !== undefined ? (
        <HistoryScreen feed={feeds.find((feed) => feed.id === id)} listUrl={listUrl} handlers={handlers} />
      ) : (
        <ListScreen query={query} listUrl={listUrl} handlers={handlers} />
      )}
      <EditFeedDialog feed={edited} onClose={() => setEdited(undefined)} />
      <DeleteFeedDialog
        feed={deleted}
        onClose={() => setDeleted(undefined)}
        onDeleted={id === undefined ? undefined : () => void listUrl.reset({}, { replace: true })}
      />
    </>
  );
}

interface HistoryScreenProps {
  /** Undefined if there is no such feed. */
  feed: Feed | undefined;
  listUrl: ListUrl;
  handlers: FeedHandlers;
}

function HistoryScreen({ feed, listUrl, handlers }: HistoryScreenProps) {
  return (
    <Screen
      title={feed?.name ?? 'Feed not found'}
      lead={
        feed
          ? 'The downloads of this list, and the domains that each one added and removed.'
          : 'It may have been deleted.'
      }
    >
      {feed ? (
        <FeedHistory feed={feed} listUrl={listUrl} handlers={handlers} />
      ) : (
        <ButtonLink to={paths.adminFeeds} search={{}} variant="default">
          Show all feeds
        </ButtonLink>
      )}
    </Screen>
  );
}

interface ListScreenProps {
  query: ReturnType<typeof useFeeds>['query'];
  listUrl: ListUrl;
  handlers: FeedHandlers;
}

function ListScreen({ query, listUrl, handlers }: ListScreenProps) {
  return (
    <Screen title="Feeds" lead="Public lists that keep the blacklist current.">
      {query.data ? (
        <FeedList feeds={query.data} listUrl={listUrl} handlers={handlers} />
      ) : (
        <QueryState query={query} height={360} />
      )}
    </Screen>
  );
}

/** Moves the focus to the main area when another part of the screen opens, like the frame does for another screen. */
function useFocusOnNewView(view: string): void {
  const before = useRef(view);
  useEffect(() => {
    if (before.current === view) return;
    before.current = view;
    document.getElementById('main')?.focus({ preventScroll: true });
  }, [view]);
}

/**
 * All feeds. When a run ends, reloads what it changed.
 * @returns the query, and `expectRun`, which makes the end of a run that the user started appear as a message
 */
function useFeeds() {
  const client = useQueryClient();
  const query = useQuery({ ...feedsQuery, refetchIntervalInBackground: true });
  /** The runs that had ended in the previous response. */
  const known = useRef<ReadonlySet<number>>(undefined);
  const expected = useRef(new Set<number>());
  const { data: feeds } = query;
  useEffect(() => {
    if (!feeds) return;
    const ended = feeds.flatMap((feed) =>
      feed.lastRun && feed.lastRun.status !== 'running' ? { feed, run: feed.lastRun } : [],
    );
    const before = known.current;
    known.current = new Set(ended.map(({ run }) => run.id));
    const changed = ended.filter(({ run: { id } }) => expected.current.has(id) || (before && !before.has(id)));
    for (const { feed, run } of changed) {
      if (expected.current.delete(run.id)) showResult(feed, run);
    }
    if (changed.length === 0) return;
    void refreshFeeds(client);
    void refreshDomains(client);
  }, [feeds, client]);
  const expectRun = useCallback(
    (runId: number) => {
      expected.current.add(runId);
      return refreshFeeds(client);
    },
    [client],
  );
  return { query, expectRun };
}

function showResult({ name }: Feed, run: FeedRun): void {
  if (run.status === 'failed') toastError(`Refresh of ${name} failed`, describeResult(run));
  else if (run.status === 'review') toastError(`${name} needs review`, describeResult(run));
  else toastSuccess(run.status === 'updated' ? `${name} updated` : `${name} is up to date`, describeResult(run));
}
