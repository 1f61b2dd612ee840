import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import type { Feed, FeedRun } from '#shared/blacklist/feeds.ts';
import { toastError, toastSuccess } from '../../ui/toast.tsx';
import { refreshDomains } from '../domains/domains.tsx';
import { describeResult } from './describe.ts';
import { feedsQuery, refreshFeeds } from './feeds.tsx';

/**
 * All feeds. When a run ends, reloads what it changed.
 * @returns the query, and `expectRun`, which makes the end of a run that the user started appear as a message
 */
export function useFeeds() {
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
