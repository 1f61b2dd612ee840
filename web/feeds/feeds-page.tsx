import { Skeleton } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useListUrl } from '../lib/use-list-url.ts';
import { Screen } from '../ui/screen.tsx';
import { ErrorState } from '../ui/states.tsx';
import { FeedHistory } from './feed-history.tsx';
import { FeedList } from './feed-list.tsx';
import { useFeeds } from './use-feeds.ts';

const route = getRouteApi('/admin-only/admin/feeds');
const noDialog = { dialog: undefined };

/** The admin screen of feeds: the list of feeds, or the history of one. */
export function FeedsPage() {
  const listUrl = useListUrl(route.useSearch(), noDialog);
  const { feed: id, run, dialog } = listUrl.search;
  const { query, expectRun } = useFeeds();
  useFocusOnNewView(`${id} ${run}`);
  const { data: feeds, error, refetch, isFetching } = query;
  const feed = feeds?.find((one) => one.id === id);
  if (feeds && id !== undefined) {
    return (
      <Screen
        title={feed?.name ?? 'Feed not found'}
        lead={
          feed ? 'The downloads of this list, and the domains that each one added and removed.' : 'It may be deleted.'
        }
      >
        <FeedHistory feed={feed} listUrl={listUrl} onRun={expectRun} />
      </Screen>
    );
  }
  return (
    <Screen title="Feeds" lead="Public lists that keep the blacklist current.">
      {feeds ? (
        <FeedList
          feeds={feeds}
          dialog={dialog}
          onOpen={(next) => void listUrl.openDialog({ dialog: next })}
          onSwitch={(next) => void listUrl.switchDialog({ dialog: next })}
          onClose={listUrl.close}
          onRun={expectRun}
        />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} />
      ) : (
        <Skeleton height={360} radius="md" data-waiting />
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
