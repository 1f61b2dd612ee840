import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  CataloguePicker,
  type FailedList,
  FailedLists,
  listRecommendedKeys,
  subscribeToLists,
} from '../../blacklist/feeds/feeds.tsx';
import { catalogueQuery, feedsQuery, refreshFeeds } from '../../blacklist/feeds/queries.ts';
import { paths } from '../../paths.ts';
import { plural } from '../../platform/format.ts';
import { useSingleFlight } from '../../platform/use-single-flight.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { LoadLists } from './load-lists.tsx';
import styles from './setup.module.css';
import { SetupFrame } from './setup-frame.tsx';

/** The steps of a signed-in admin. Without feeds, the lists are chosen; otherwise, their progress is shown. */
export function ListSteps({ takesFocus }: { takesFocus: boolean }) {
  const feeds = useQuery({ ...feedsQuery, refetchIntervalInBackground: true });
  // Until subscribing has ended, although the first feeds exist.
  const [isSubscribing, setSubscribing] = useState<boolean>();
  const [notAdded, setNotAdded] = useState<readonly FailedList[]>([]);
  if (!feeds.data) {
    return (
      <SetupFrame step={2} isLoading={!feeds.error}>
        <ErrorState error={feeds.error} onRetry={() => void feeds.refetch()} retrying={feeds.isFetching} />
      </SetupFrame>
    );
  }
  if (isSubscribing || feeds.data.length === 0) {
    return (
      <ChooseLists
        takesFocus={takesFocus}
        onStart={() => setSubscribing(true)}
        onDone={(failed) => {
          setNotAdded(failed);
          setSubscribing(false);
        }}
      />
    );
  }
  return <LoadLists feeds={feeds.data} notAdded={notAdded} takesFocus={isSubscribing !== undefined} />;
}

interface ChooseListsProps {
  takesFocus: boolean;
  /** Subscribing has started. */
  onStart(): void;
  /** Subscribing has ended, and at least one of the selected lists was added. */
  onDone(failed: readonly FailedList[]): void;
}

function ChooseLists({ takesFocus, onStart, onDone }: ChooseListsProps) {
  const client = useQueryClient();
  const catalogue = useQuery(catalogueQuery);
  const [chosen, setChosen] = useState<string[]>();
  const subscription = useMutation({
    mutationFn: subscribeToLists,
    onSuccess: async ({ added, failed }) => {
      await refreshFeeds(client);
      if (added > 0) onDone(failed);
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
      <div className={styles.alert}>
        <FailedLists failed={subscription.data?.failed ?? []} />
      </div>
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
