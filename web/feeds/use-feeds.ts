import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import type { Feed, FeedRun } from '#shared/feeds.ts';
import { refreshDomains } from '../domains/domains.tsx';
import { toastError, toastSuccess } from '../ui/toast.tsx';
import { describeResult } from './describe.ts';
import { feedsQuery, refreshFeeds } from './feeds.tsx';

/**
 * All feeds. When a run ends, reloads what it changed.
 * @returns the query, and `expectRun`, which makes the end of a run that the user started appear as a message
 */
export function useFeeds() {
  const client = useQueryClient();
  const query = useQuery({ ...feedsQuery, refetchIntervalInBackground: true });
  const running = useRef<ReadonlySet<number>>(new Set());
  const expected = useRef(new Set<number>());
  const { data: feeds } = query;
  useEffect(() => {
    if (!feeds) return;
    const runs = feeds.flatMap((feed) => (feed.lastRun ? { feed, run: feed.lastRun } : []));
    const ended = runs.filter(
      ({ run: { id, status } }) => status !== 'running' && (running.current.has(id) || expected.current.has(id)),
    );
    running.current = new Set(runs.filter(({ run }) => run.status === 'running').map(({ run }) => run.id));
    for (const { feed, run } of ended) {
      if (expected.current.delete(run.id)) showResult(feed, run);
    }
    if (ended.length === 0) return;
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
  else if (run.status === 'review') toastError(`${name} needs your review`, describeResult(run));
  else toastSuccess(run.status === 'updated' ? `${name} updated` : `${name} is up to date`, describeResult(run));
}
