import { Alert } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowRight, TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { getBlacklistStats } from '#shared/domains.ts';
import type { Feed } from '#shared/feeds.ts';
import { refreshDomains } from '../domains/domains.tsx';
import {
  CataloguePicker,
  catalogueQuery,
  FeedProgressList,
  feedsQuery,
  isLoading,
  listRecommendedKeys,
  refreshFeeds,
  subscribeToLists,
} from '../feeds/feeds.tsx';
import { call } from '../lib/api.ts';
import { formatCount, plural } from '../lib/format.ts';
import { useSingleFlight } from '../lib/use-single-flight.ts';
import { paths } from '../paths.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { TextLink } from '../ui/screen.tsx';
import { ErrorState } from '../ui/states.tsx';
import styles from './setup.module.css';
import { SetupFrame } from './setup-frame.tsx';

/** The steps of a signed-in admin. Without feeds, the lists are chosen; otherwise, their progress is shown. */
export function ListSteps({ takesFocus }: { takesFocus: boolean }) {
  const feeds = useQuery(feedsQuery);
  // Until all chosen lists are subscribed, although the first feeds exist.
  const [isSubscribing, setSubscribing] = useState<boolean>();
  if (!feeds.data) {
    return (
      <SetupFrame step={2} isLoading={!feeds.error}>
        <ErrorState error={feeds.error} onRetry={() => void feeds.refetch()} retrying={feeds.isFetching} />
      </SetupFrame>
    );
  }
  if (isSubscribing || feeds.data.length === 0) {
    return (
      <ChooseLists takesFocus={takesFocus} onStart={() => setSubscribing(true)} onDone={() => setSubscribing(false)} />
    );
  }
  return <LoadLists feeds={feeds.data} takesFocus={isSubscribing !== undefined} />;
}

interface ChooseListsProps {
  takesFocus: boolean;
  /** Subscribing has started. */
  onStart(): void;
  /** All selected lists are subscribed. */
  onDone(): void;
}

function ChooseLists({ takesFocus, onStart, onDone }: ChooseListsProps) {
  const client = useQueryClient();
  const catalogue = useQuery(catalogueQuery);
  const [chosen, setChosen] = useState<string[]>();
  const subscription = useMutation({
    mutationFn: subscribeToLists,
    onSuccess: async ({ failed }) => {
      await refreshFeeds(client);
      setChosen(failed.map(({ entry }) => entry.key));
      if (failed.length === 0) onDone();
    },
  });
  const subscribeOnce = useSingleFlight(subscription.mutate);
  const entries = catalogue.data;
  if (!entries) {
    return (
      <SetupFrame step={2} isLoading={!catalogue.error}>
        <ErrorState error={catalogue.error} onRetry={() => void catalogue.refetch()} retrying={catalogue.isFetching} />
      </SetupFrame>
    );
  }
  const selected = chosen ?? listRecommendedKeys(entries);
  const failed = subscription.data?.failed ?? [];
  const load = () => {
    onStart();
    subscribeOnce(entries.filter(({ key }) => selected.includes(key)));
  };
  return (
    <SetupFrame
      step={2}
      title="Fill your blacklist"
      lead="These public lists have free licenses. Linksieve downloads the selected ones now and keeps them up to date."
      takesFocus={takesFocus}
    >
      <CataloguePicker
        entries={entries}
        selected={selected}
        onChange={(keys) => {
          setChosen(keys);
          subscription.reset();
        }}
        disabled={subscription.isPending}
      />
      {failed.length > 0 && (
        <Alert
          color="red"
          variant="light"
          role="alert"
          mt="md"
          icon={<TriangleAlert size={18} aria-hidden />}
          title={`${plural(failed.length, 'list')} could not be added`}
        >
          {failed.map(({ entry, message }) => (
            <div key={entry.key}>
              <b>{entry.name}</b>: {message}
            </div>
          ))}
        </Alert>
      )}
      <div className={styles.bar}>
        <ButtonLink to={paths.domains} variant="subtle">
          Skip for now
        </ButtonLink>
        <Button size="md" disabled={selected.length === 0} loading={subscription.isPending} onClick={load}>
          {selected.length === 0 ? 'Load lists' : `Load ${plural(selected.length, 'list')}`}
        </Button>
      </div>
    </SetupFrame>
  );
}

function LoadLists({ feeds, takesFocus }: { feeds: Feed[]; takesFocus: boolean }) {
  const client = useQueryClient();
  const loaded = feeds.filter((feed) => !isLoading(feed));
  const { data: stats, isPlaceholderData } = useQuery({
    // Each list that ends changes the total.
    queryKey: ['stats', 'count', loaded.length],
    queryFn: ({ signal }) => call(getBlacklistStats, { signal }),
    placeholderData: keepPreviousData,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each list that ends changes the blacklist
  useEffect(() => void refreshDomains(client), [client, loaded.length]);
  const isDone = loaded.length === feeds.length && stats !== undefined && !isPlaceholderData;
  const total = stats?.total ?? 0;
  const held = feeds.reduce((sum, { lastRun }) => sum + (lastRun?.held ?? 0), 0);
  return (
    <SetupFrame
      step={3}
      isDone={isDone && total > 0}
      title={isDone ? describeResult(total) : `Loading ${plural(feeds.length, 'list')}`}
      lead={
        isDone ? (
          <>
            Linksieve keeps these lists up to date. Add and remove lists under{' '}
            <TextLink to={paths.adminFeeds} underline="always">
              Feeds
            </TextLink>
            . A domain can be in several lists.
          </>
        ) : (
          'You can leave this screen: the lists continue to load.'
        )
      }
      takesFocus={takesFocus}
    >
      {!isDone && (
        <p className={styles.total}>
          <b>{formatCount(total)}</b> {total === 1 ? 'domain' : 'domains'} on your blacklist
        </p>
      )}
      <FeedProgressList ids={feeds.map(({ id }) => id)} />
      {isDone && held > 0 && (
        <p className={styles.note}>
          {plural(held, 'listing')} of protected sites {held === 1 ? 'waits' : 'wait'} for your decision:{' '}
          <TextLink to={paths.adminHeld} size="sm" underline="always">
            Held for review
          </TextLink>
        </p>
      )}
      <div className={styles.bar}>
        {(isDone || total > 0) && (
          <ButtonLink
            to={paths.domains}
            size="md"
            variant={isDone ? 'filled' : 'default'}
            rightSection={<ArrowRight size={16} aria-hidden />}
          >
            Open the blacklist
          </ButtonLink>
        )}
      </div>
    </SetupFrame>
  );
}

const describeResult = (total: number) =>
  total > 0 ? `Your blacklist has ${plural(total, 'domain')}` : 'Your blacklist is still empty';
