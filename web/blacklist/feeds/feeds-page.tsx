import { useEffect, useRef, useState } from 'react';
import type { Feed } from '#shared/blacklist/feeds.ts';
import { paths } from '../../paths.ts';
import { useListUrl } from '../../platform/use-list-url.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Screen } from '../../ui/screen.tsx';
import { DeleteFeedDialog } from './delete-feed-dialog.tsx';
import type { FeedHandlers } from './feed-actions.tsx';
import { EditFeedDialog } from './feed-form.tsx';
import { FeedHistory } from './feed-history.tsx';
import { FeedList } from './feed-list.tsx';
import type { ListUrl } from './run-names.tsx';
import { feedsSearch } from './search.ts';
import { useFeeds } from './use-feeds.ts';

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
