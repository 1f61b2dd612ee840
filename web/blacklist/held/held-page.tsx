import { Tabs } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { decideHeld, decideManyHeld, type HeldDecision, type HeldListing } from '#shared/blacklist/held.ts';
import { call } from '../../platform/api.ts';
import { restoreFocus } from '../../platform/focus.ts';
import { plural } from '../../platform/format.ts';
import { useListUrl } from '../../platform/use-list-url.ts';
import { Button } from '../../ui/button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { ConfirmDialog } from '../../ui/dialogs.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ListSearch } from '../../ui/list-search.tsx';
import { QueryTable } from '../../ui/query-table.tsx';
import screen from '../../ui/screen.module.css';
import { Screen } from '../../ui/screen.tsx';
import { useSelection } from '../../ui/selection.ts';
import type { Column } from '../../ui/table.tsx';
import { Breakable } from '../../ui/text.tsx';
import { toastSuccess } from '../../ui/toast.tsx';
import { refreshDomains } from '../domains/domains.tsx';
import { AllowRules, type ListProps } from './allow-rules.tsx';
import styles from './held-page.module.css';
import { heldQuery, refreshHeld } from './queries.ts';
import { heldSearch } from './search.ts';
import { SharedHosts } from './shared-hosts.tsx';

/** Listings that wait for an admin's decision, the allow rules, and the shared hosts. */
export function HeldPage() {
  const listUrl = useListUrl(heldSearch);
  const { tab, search, page = 1 } = listUrl.search;
  const list = { search, page };
  const props = {
    list,
    onSearch: (next: string | undefined) =>
      void listUrl.show({ search: next }, search !== undefined && next !== undefined),
    onPage: (next: number, replace?: boolean) => void listUrl.goToPage(next, replace),
  };
  return (
    <Screen
      title="Held for Review"
      lead="Imports and feeds hold well-known sites, public institutions, single pages and sites with an allow rule. Decide which ones to list."
    >
      <Tabs
        value={tab ?? 'queue'}
        onChange={(next) => {
          const shown = next === 'rules' || next === 'hosts' ? next : undefined;
          void listUrl.show({ tab: shown, search: undefined });
        }}
      >
        <Tabs.List>
          <Tabs.Tab value="queue">Queue</Tabs.Tab>
          <Tabs.Tab value="rules">Allow rules</Tabs.Tab>
          <Tabs.Tab value="hosts">Shared hosts</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="queue">
          <Queue {...props} />
        </Tabs.Panel>
        <Tabs.Panel value="rules">
          <AllowRules {...props} />
        </Tabs.Panel>
        <Tabs.Panel value="hosts">
          <SharedHosts />
        </Tabs.Panel>
      </Tabs>
    </Screen>
  );
}

interface Pending {
  rows: readonly HeldListing[];
  decision: HeldDecision;
}

/** The listings that wait for a decision. */
function Queue({ list, onSearch, onPage }: ListProps) {
  const { search, page } = list;
  const query = useQuery(heldQuery({ search, page: page - 1 }));
  const rows = query.data?.held ?? [];
  const [chosen, setChosen] = useSelection<number>(JSON.stringify(list));
  const [pending, setPending] = useState<Pending>();

  const selected = rows.filter(({ id }) => chosen.has(id));
  return (
    <>
      <div className={screen.bar}>
        <ListSearch label="Search domains and sources" value={search} maxLength={253} onApply={onSearch} />
      </div>
      {rows.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend
        <div className={styles.selection} role="group" aria-label="Decide on the selected listings">
          <span role="status">{selected.length} selected</span>
          <Button
            size="xs"
            disabled={selected.length === 0}
            onClick={() => setPending({ rows: selected, decision: 'list' })}
          >
            Add selected to blacklist
          </Button>
          <Button
            size="xs"
            variant="default"
            disabled={selected.length === 0}
            onClick={() => setPending({ rows: selected, decision: 'reject' })}
          >
            Reject selected
          </Button>
        </div>
      )}
      <QueryTable
        label="Held listings"
        pagesLabel="Pages of held listings"
        columns={getColumns((row, decision) => setPending({ rows: [row], decision }))}
        query={query}
        getRows={({ held }) => held}
        getRowKey={({ id }) => id}
        page={page}
        onPage={onPage}
        selection={{
          selected: chosen,
          onSelect: setChosen,
          nameOf: ({ domain, source }) => `${domain} of ${source}`,
        }}
        empty={<NothingHeld search={search} onClear={() => onSearch(undefined)} />}
      />
      <DecisionDialog
        pending={pending}
        onClose={() => setPending(undefined)}
        onDecided={() => {
          setChosen(new Set());
          setPending(undefined);
          restoreFocus(() =>
            document.querySelector<HTMLElement>('td input[type="checkbox"], [role="tab"][aria-selected="true"]'),
          );
        }}
      />
    </>
  );
}

function NothingHeld({ search, onClear }: { search: string | undefined; onClear(): void }) {
  if (search === undefined) {
    return (
      <EmptyState
        icon={ShieldCheck}
        title="Nothing to review"
        description="When an import contains a well-known site, a public institution or a single page, it waits here for your decision."
      />
    );
  }
  return (
    <EmptyState title="No held listings found" description="Try another domain or source.">
      <Button variant="default" onClick={onClear}>
        Show all held listings
      </Button>
    </EmptyState>
  );
}

function getColumns(onDecide: (row: HeldListing, decision: HeldDecision) => void): Column<HeldListing>[] {
  return [
    {
      name: 'Domain',
      width: '25%',
      onCard: 'title',
      cell: ({ domain }) => (
        <bdi dir="ltr" data-mono>
          <Breakable>{domain}</Breakable>
        </bdi>
      ),
    },
    { name: 'Source', width: '16%', cell: ({ source }) => <bdi>{source}</bdi> },
    { name: 'Reason', cell: ({ reason }) => reason },
    { name: 'Held since', width: '128px', cell: ({ heldAt }) => <DateText value={heldAt} /> },
    {
      name: 'Actions',
      width: '252px',
      onCard: 'actions',
      cell: (row) => (
        <div className={screen.actions}>
          <Button
            size="xs"
            variant="default"
            aria-label={`Add to blacklist: ${row.domain} of ${row.source}`}
            onClick={() => onDecide(row, 'list')}
          >
            Add to blacklist
          </Button>
          <Button
            size="xs"
            variant="default"
            aria-label={`Reject ${row.domain} of ${row.source}`}
            onClick={() => onDecide(row, 'reject')}
          >
            Reject
          </Button>
        </div>
      ),
    },
  ];
}

interface DecisionDialogProps {
  /** Undefined closes the dialog. */
  pending: Pending | undefined;
  onClose(): void;
  onDecided(): void;
}

/** Confirms that listings are listed or rejected. */
function DecisionDialog({ pending, onClose, onDecided }: DecisionDialogProps) {
  const client = useQueryClient();
  const decide = useMutation({
    mutationFn: async ({ rows, decision }: Pending) => {
      const [first] = rows;
      if (!first || rows.length > 1) {
        const ids = rows.map(({ id }) => id);
        return (await call(decideManyHeld, { body: { ids, decision } })).count;
      }
      await call(decideHeld, { params: { id: first.id }, body: { decision } });
      return 1;
    },
    onSuccess: (count, { decision }) => {
      toastSuccess(`${plural(count, 'listing')} ${decision === 'list' ? 'added to the blacklist' : 'rejected'}`);
      onDecided();
      if (decision === 'list') void refreshDomains(client);
    },
    onSettled: () => refreshHeld(client),
  });
  return (
    <ConfirmDialog
      target={pending}
      onClose={onClose}
      action={decide}
      title={({ decision }) => (decision === 'list' ? 'Add to blacklist' : 'Reject')}
      destructive={false}
    >
      {({ rows, decision }) => {
        const isOne = rows.length === 1;
        const names = isOne ? <strong data-mono>{rows[0]?.domain}</strong> : plural(rows.length, 'listing');
        return decision === 'list' ? (
          <>
            {names} will be on the blacklist, and later imports of exactly {isOne ? 'this name' : 'these names'} are not
            held again.
          </>
        ) : (
          <>
            {names} {isOne ? 'stays' : 'stay'} off the blacklist. Later imports from{' '}
            {isOne ? 'this source skip it' : 'their sources skip them'}.
          </>
        );
      }}
    </ConfirmDialog>
  );
}
