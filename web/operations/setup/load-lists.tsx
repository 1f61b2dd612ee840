import { Stack } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowRight, CircleCheck, RotateCw, TriangleAlert } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { getBlacklistStats } from '#shared/blacklist/domains.ts';
import { type Feed, refreshFeed } from '#shared/blacklist/feeds.ts';
import { refreshDomains } from '../../blacklist/domains/domains.tsx';
import { type FailedList, FailedLists } from '../../blacklist/feeds/feeds.tsx';
import { hasFailed, isOffline, OfflineAlert, RetryAll } from '../../blacklist/feeds/offline.tsx';
import { isLoading, refreshFeeds } from '../../blacklist/feeds/queries.ts';
import { paths } from '../../paths.ts';
import { call } from '../../platform/api.ts';
import { formatCount, plural } from '../../platform/format.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { ExternalLink } from '../../ui/external-link.tsx';
import { FormError } from '../../ui/form-error.tsx';
import hidden from '../../ui/hidden.module.css';
import { RunProgress } from '../../ui/run-progress.tsx';
import { TextLink } from '../../ui/screen.tsx';
import { toastError } from '../../ui/toast.tsx';
import { Hint } from '../../ui/typography.ts';
import styles from './setup.module.css';
import { SetupFrame } from './setup-frame.tsx';

interface LoadListsProps {
  feeds: Feed[];
  /** The selected lists that could not be added. */
  notAdded: readonly FailedList[];
  takesFocus: boolean;
}

/** The last step: the progress of the downloads, and what they added. */
export function LoadLists({ feeds, notAdded, takesFocus }: LoadListsProps) {
  const client = useQueryClient();
  const ended = feeds.filter((feed) => !isLoading(feed));
  const { data: stats, isPlaceholderData } = useQuery({
    // Each list that ends changes the total.
    queryKey: ['stats', 'count', ended.length],
    queryFn: ({ signal }) => call(getBlacklistStats, { signal }),
    placeholderData: keepPreviousData,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each list that ends changes the blacklist
  useEffect(() => void refreshDomains(client), [client, ended.length]);
  const isDone = ended.length === feeds.length && stats !== undefined && !isPlaceholderData;
  const total = stats?.total ?? 0;
  const isEmpty = isDone && total === 0;
  const held = feeds.reduce((sum, { lastRun }) => sum + (lastRun?.held ?? 0), 0);
  const failed = ended.filter(hasFailed);
  const cannotReach = isDone && isOffline(feeds);
  return (
    <SetupFrame
      step={3}
      isDone={isDone && total > 0}
      title={
        isEmpty
          ? 'Your blacklist is still empty'
          : isDone
            ? `Your blacklist has ${plural(total, 'domain')}`
            : `Loading ${plural(feeds.length, 'list')}`
      }
      lead={describeStep(feeds, isDone, isEmpty)}
      takesFocus={takesFocus}
    >
      {!isDone && (stats || ended.length < feeds.length) && (
        <p className={styles.total}>
          <b>{formatCount(total)}</b> {total === 1 ? 'domain' : 'domains'} on your blacklist
        </p>
      )}
      <div className={styles.alert}>
        <FailedLists failed={notAdded} />
        {cannotReach && <OfflineAlert />}
      </div>
      <p className={styles.overall} role="status">
        {describeProgress(feeds, ended)}
      </p>
      <ul className={styles.progressList} aria-label="Lists">
        {feeds.map((feed) => (
          <li key={feed.id}>
            {isLoading(feed) ? <LoadingFeed feed={feed} /> : <LoadedFeed feed={feed} isOffline={cannotReach} />}
          </li>
        ))}
      </ul>
      {isDone && held > 0 && (
        <p className={styles.note}>
          {plural(held, 'listing')} of protected sites {held === 1 ? 'waits' : 'wait'} for your decision:{' '}
          <TextLink to={paths.adminHeld} size="sm" underline="always">
            Held for Review
          </TextLink>
        </p>
      )}
      <div className={styles.bar}>
        {isEmpty && (
          <ButtonLink to={paths.adminPanel} size="md" variant="default">
            Import a CSV
          </ButtonLink>
        )}
        {!cannotReach && (
          <ButtonLink
            to={paths.adminFeeds}
            search={{ dialog: 'catalogue' }}
            size="md"
            variant={isEmpty && failed.length < 2 ? 'filled' : 'default'}
          >
            Choose more lists
          </ButtonLink>
        )}
        {isDone && failed.length > 1 && <RetryAll feeds={ended} size="md" variant={isEmpty ? 'filled' : 'default'} />}
        {(isDone || total > 0) && (
          <ButtonLink
            to={paths.domains}
            size="md"
            variant={isDone && !isEmpty ? 'filled' : 'default'}
            rightSection={<ArrowRight size={16} aria-hidden />}
          >
            Open the blacklist
          </ButtonLink>
        )}
      </div>
    </SetupFrame>
  );
}

function describeStep(feeds: readonly Feed[], isDone: boolean, isEmpty: boolean): ReactNode {
  if (!isDone) return 'You can leave this screen: the lists continue to load.';
  if (isEmpty) {
    return feeds.some(hasFailed)
      ? 'These lists have not added a domain. Try the failed lists again, or import a list of your own.'
      : 'These lists have not added a domain. Choose more lists to fill your blacklist.';
  }
  return (
    <>
      Linksieve keeps these lists up to date. Add and remove lists under{' '}
      <TextLink to={paths.adminFeeds} underline="always">
        Feeds
      </TextLink>
      . A domain can be in several lists.
    </>
  );
}

/** '8 of 10 lists loaded, 1 failed' */
function describeProgress(feeds: readonly Feed[], ended: readonly Feed[]): string {
  const failed = ended.filter(hasFailed).length;
  const loaded = `${formatCount(ended.length - failed)} of ${plural(feeds.length, 'list')} loaded`;
  return failed > 0 ? `${loaded}, ${formatCount(failed)} failed` : loaded;
}

/** The progress of one feed. Not announced, because several feeds load at the same time. */
function LoadingFeed({ feed: { name, lastRun } }: { feed: Feed }) {
  return (
    <Stack gap={4}>
      <RunProgress label={name} name={name} percent={lastRun?.progress ?? 0} />
      <Hint>{lastRun?.message || 'Waiting to start'}</Hint>
    </Stack>
  );
}

/** @param props `isOffline`: the screen says already why the feed failed. */
function LoadedFeed({ feed, isOffline }: { feed: Feed; isOffline: boolean }) {
  const { id, name, kind, domains, lastRun, review, licence, homepage } = feed;
  const client = useQueryClient();
  const retry = useMutation({
    mutationFn: () => call(refreshFeed, { params: { id } }),
    onSuccess: () => refreshFeeds(client),
    onError: (error) => toastError('The download did not start', error.message),
  });
  const isFailed = hasFailed(feed);
  const needsReview = review !== null;
  const Icon = isFailed || needsReview ? TriangleAlert : CircleCheck;
  return (
    <>
      <div className={styles.progressHead}>
        <span className={styles.progressName}>
          <Icon size={16} aria-hidden className={isFailed || needsReview ? styles.bad : styles.good} />
          {name}
        </span>
        <span data-quiet>
          {isFailed && 'Failed'}
          {isFailed && needsReview && ', '}
          {needsReview && (
            <TextLink to={paths.adminFeeds} search={{ feed: id }} size="sm" underline="always">
              Needs review<span className={hidden.hidden}>: {name}</span>
            </TextLink>
          )}
          {!isFailed && !needsReview && `${plural(domains, 'domain')}${kind === 'allow' ? ' protected' : ''}`}
        </span>
      </div>
      {isFailed
        ? !isOffline && (
            <div className={styles.failure}>
              <span>{lastRun?.error ?? 'The list could not be downloaded.'}</span>
              <Button
                size="xs"
                variant="default"
                leftSection={<RotateCw size={14} aria-hidden />}
                loading={retry.isPending}
                onClick={() => retry.mutate()}
              >
                Try again<span className={hidden.hidden}> to load {name}</span>
              </Button>
              <FormError error={retry.error} />
            </div>
          )
        : (licence || homepage) && (
            <p className={styles.facts}>
              {licence && <span>License: {licence}</span>}
              {homepage && (
                <ExternalLink href={homepage} of={name}>
                  Homepage
                </ExternalLink>
              )}
            </p>
          )}
    </>
  );
}
