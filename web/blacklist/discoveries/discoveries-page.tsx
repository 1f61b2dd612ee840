import { Skeleton, Tabs } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useRef, useState } from 'react';
import { discoveryPageSize, discoveryStatuses } from '#shared/blacklist/choices.ts';
import { type DiscoveryStatus, decideDiscovery } from '#shared/blacklist/discoveries.ts';
import { paths } from '../../paths.ts';
import { ApiError, call } from '../../platform/api.ts';
import { restoreFocus } from '../../platform/focus.ts';
import { plural } from '../../platform/format.ts';
import { areSingleKeysEnabled, ignoreEnterRepeat } from '../../platform/keys.ts';
import { useLastPage, useListUrl } from '../../platform/use-list-url.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import screen from '../../ui/screen.module.css';
import { Screen, TextLink } from '../../ui/screen.tsx';
import { useServed } from '../../ui/served.ts';
import { ErrorState } from '../../ui/states.tsx';
import { toastError, toastSuccess } from '../../ui/toast.tsx';
import { Hint } from '../../ui/typography.ts';
import { refreshDomains } from '../domains/domains.tsx';
import { useCardShortcuts } from '../submissions/decide.tsx';
import { Pager } from '../submissions/widgets.tsx';
import styles from './discoveries.module.css';
import { DiscoveryCard } from './discovery-card.tsx';
import { LookDialog } from './look-dialog.tsx';
import { discoveriesQuery, refreshDiscoveries } from './queries.ts';
import { discoveriesSearch } from './search.ts';

const statusNames: Record<DiscoveryStatus, string> = {
  proposed: 'Proposals',
  accepted: 'Accepted',
  rejected: 'Rejected',
  nothing: 'Nothing found',
};

/** Sites that offer links on their own pages, for admins to decide about. */
export function DiscoveriesPage() {
  const listUrl = useListUrl(discoveriesSearch);
  const { status = 'proposed', page = 1 } = listUrl.search;
  const { data, error } = useQuery(discoveriesQuery({ status, page: page - 1 }));
  const [isLooking, setLooking] = useState(false);
  const showStatus = (name: string | null) => {
    const next = discoveryStatuses.find((known) => known === name);
    if (next) void listUrl.show({ status: next === 'proposed' ? undefined : next });
  };
  return (
    <Screen
      title="Discoveries"
      lead="Sites that offer links for money on their own pages. Accepted sites are added to the blacklist with this proof."
    >
      {isTurnedOff(error) ? (
        <TurnedOff />
      ) : (
        <>
          <div className={screen.bar}>
            <Button leftSection={<Search size={15} aria-hidden />} onClick={() => setLooking(true)}>
              Look at sites
            </Button>
            <span role="status">
              {data && data.waiting > 0 && `${plural(data.waiting, 'site')} waiting for a visit`}
            </span>
          </div>
          <Tabs value={status} onChange={showStatus}>
            <Tabs.List className={screen.tabs}>
              {discoveryStatuses.map((name) => (
                <Tabs.Tab key={name} value={name}>
                  {statusNames[name]}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <Tabs.Panel value={status} className={screen.panel}>
              <DiscoveryList
                status={status}
                page={page - 1}
                goToPage={(next, replace) => void listUrl.goToPage(next + 1, replace)}
              />
            </Tabs.Panel>
          </Tabs>
          <LookDialog opened={isLooking} onClose={() => setLooking(false)} />
        </>
      )}
    </Screen>
  );
}

const isTurnedOff = (error: Error | null) => error instanceof ApiError && error.code === 'crawl_disabled';

function TurnedOff() {
  return (
    <EmptyState
      icon={Search}
      title="Page visits are turned off"
      description="Linksieve visits no pages of other sites until you allow it."
    >
      <TextLink to={paths.adminPanel} search={{ tab: 'system' }}>
        Open Settings
      </TextLink>
    </EmptyState>
  );
}

interface DiscoveryListProps {
  status: DiscoveryStatus;
  /** Zero-based. */
  page: number;
  goToPage(page: number, replace?: boolean): void;
}

/** The cards of one status, or the empty, loading or error state. */
function DiscoveryList({ status, page, goToPage }: DiscoveryListProps) {
  const client = useQueryClient();
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery(discoveriesQuery({ status, page }));
  const cards = useRef<HTMLUListElement>(null);
  const hasKeys = useServed(true, areSingleKeysEnabled);
  useCardShortcuts(cards);
  const decide = useMutation({
    mutationFn: ({ id, to }: { id: number; to: 'accepted' | 'rejected' }) =>
      call(decideDiscovery, { params: { id }, body: { status: to } }),
    onSuccess: async ({ domain, id }, { to }) => {
      toastSuccess(`${domain} ${to === 'accepted' ? 'was added to the blacklist' : 'was rejected'}`);
      if (to === 'accepted') void refreshDomains(client);
      const index = data?.discoveries.findIndex((discovery) => discovery.id === id) ?? 0;
      await refreshDiscoveries(client);
      restoreFocus(() => findNextButton(cards.current, index));
    },
    onError: (failure) => {
      toastError('The decision was not saved', failure instanceof ApiError ? failure.message : 'Please try again.');
      if (failure instanceof ApiError && failure.status !== 503) void refreshDiscoveries(client);
    },
  });

  const totalPages = Math.max(1, Math.ceil((data?.total ?? 0) / discoveryPageSize));
  const isPastEnd = data !== undefined && !isPlaceholderData && page >= totalPages;
  useLastPage(page, { data: data && { pagination: { totalPages } }, isPlaceholderData }, (last) =>
    goToPage(last - 1, true),
  );

  if (error && !data) {
    return (
      <ErrorState
        title="The discoveries could not be loaded"
        error={error}
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    );
  }
  if (!data || isPastEnd) {
    return (
      <div className={styles.cards} role="status" aria-label="Loading...">
        {[1, 2, 3].map((key) => (
          <Skeleton key={key} height={190} radius="lg" />
        ))}
      </div>
    );
  }
  if (data.total === 0) return <NoDiscoveries status={status} />;
  return (
    <>
      {status === 'proposed' && hasKeys && (
        <Hint className={styles.keys}>
          When a card has the focus, press <kbd>A</kbd> to accept or <kbd>R</kbd> to reject.
        </Hint>
      )}
      <ul
        ref={cards}
        className={styles.cards}
        aria-label={statusNames[status]}
        aria-busy={isFetching}
        onKeyDown={ignoreEnterRepeat}
      >
        {data.discoveries.map((discovery) => (
          <DiscoveryCard
            key={discovery.id}
            discovery={discovery}
            isBusy={decide.isPending && decide.variables.id === discovery.id}
            error={decide.variables?.id === discovery.id ? decide.error : null}
            onDecide={(to) => !decide.isPending && decide.mutate({ id: discovery.id, to })}
          />
        ))}
      </ul>
      <Pager
        label="Pages of discoveries"
        page={page}
        pageSize={discoveryPageSize}
        total={data.total}
        onChange={goToPage}
      />
    </>
  );
}

const emptyTexts: Record<DiscoveryStatus, { title: string; description: string }> = {
  proposed: {
    title: 'No proposals',
    description:
      'Enter the names of sites to look at. Submissions and suspicious referring domains are visited by themselves.',
  },
  accepted: { title: 'Nothing accepted yet', description: 'Accepted proposals are on the blacklist.' },
  rejected: {
    title: 'Nothing rejected yet',
    description: 'A rejected site is proposed again only if its offer changes.',
  },
  nothing: {
    title: 'No such sites',
    description: 'Sites without an offer of links, and sites that could not be read.',
  },
};

const NoDiscoveries = ({ status }: { status: DiscoveryStatus }) => <EmptyState icon={Search} {...emptyTexts[status]} />;

/** The Accept button of the card at `index`, else of the last card, else the active tab. */
function findNextButton(list: HTMLElement | null, index: number): HTMLElement | null {
  const buttons = [...(list?.querySelectorAll<HTMLElement>('[data-decide="approve"]') ?? [])];
  return buttons[index] ?? buttons.at(-1) ?? document.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]');
}
