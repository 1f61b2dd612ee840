import { Collapse, Container, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { RowSelectionState } from '@tanstack/react-table';
import { useEffect, useId, useState } from 'react';
import type { Domain } from '#shared/domains.ts';
import { useUser } from '../lib/session.ts';
import { useTitle } from '../lib/use-title.ts';
import { Pagination } from '../ui/pagination.tsx';
import { AdvancedFilters, advancedNames } from './advanced-filters.tsx';
import { DeleteConfirm } from './delete-confirm.tsx';
import { DomainDialogs } from './domain-dialogs.tsx';
import { DomainsHeader } from './domains-header.tsx';
import { DomainsList } from './domains-list.tsx';
import styles from './domains-page.module.css';
import { FilterChips } from './filter-chips.tsx';
import { ListBar } from './list-bar.tsx';
import { PageSize } from './page-size.tsx';
import { domainsQuery, statsQuery } from './queries.ts';
import { RiskCounts } from './risk-counts.tsx';
import { defaultPageSize, queryOf } from './search.ts';
import { SearchBar } from './search-bar.tsx';
import { useDeleteDomains } from './use-delete-domains.ts';
import { useDomainsScreen } from './use-domains-screen.ts';
import { useImport } from './use-import.ts';

/** The domain blacklist: search, filters, list, details, and for admins everything that changes it. */
export function DomainsPage() {
  useTitle('Blacklist');
  const { isAdmin } = useUser();
  const screen = useDomainsScreen();
  const { search } = screen;
  const query = queryOf(search, isAdmin);
  const list = useQuery(domainsQuery(query));
  const stats = useQuery(statsQuery);
  const total = list.data?.pagination.total;

  const [selection, setSelection] = useSelection(JSON.stringify(query));
  const [deleting, setDeleting] = useState<Domain | 'selection'>();
  const selected = Object.keys(selection).map(Number);
  const remove = useDeleteDomains(() => {
    if (deleting === 'selection') setSelection({});
    else if (search.domain !== undefined) void screen.leave();
    setDeleting(undefined);
  });
  const current = useImport(isAdmin, () => search.dialog === 'import' && screen.close());

  const advancedId = useId();
  const advancedCount = advancedNames.filter((name) => search[name] !== undefined).length;
  const [isAdvanced, setAdvanced] = useState(advancedCount > 0);

  useLastPage(query.page, list.data?.pagination.totalPages, (page) => void screen.goToPage(page, true));

  return (
    <Container size="var(--page-width)" className={styles.page}>
      <Stack gap="md">
        <DomainsHeader
          screen={screen}
          isAdmin={isAdmin}
          current={current}
          total={stats.data?.total}
          lastUpdated={stats.data?.lastUpdated}
        />
        <RiskCounts counts={stats.data} screen={screen} />
        <SearchBar
          screen={screen}
          isAdmin={isAdmin}
          isAdvanced={isAdvanced}
          advancedId={advancedId}
          advancedCount={advancedCount}
          onAdvanced={() => setAdvanced(!isAdvanced)}
        />
        <div id={advancedId} className={styles.advanced} data-open={isAdvanced || undefined}>
          <Collapse expanded={isAdvanced}>
            <AdvancedFilters screen={screen} isAdmin={isAdmin} />
          </Collapse>
        </div>
        <FilterChips screen={screen} isAdmin={isAdmin} />
        <section className={styles.list} aria-label="Results">
          <ListBar
            screen={screen}
            isAdmin={isAdmin}
            total={total}
            whole={stats.data?.total}
            selected={selected.length}
            onDeleteSelected={() => setDeleting('selection')}
            onClearSelection={() => setSelection({})}
          />
          <DomainsList
            screen={screen}
            isAdmin={isAdmin}
            domains={list.data?.domains}
            error={list.error}
            isFetching={list.isFetching}
            isStale={list.isPlaceholderData}
            selection={selection}
            onSelect={setSelection}
            onDelete={setDeleting}
            onRetry={() => void list.refetch()}
          />
        </section>
      </Stack>
      {total !== undefined && !list.error && (
        <Pagination
          page={query.page}
          pageSize={query.pageSize}
          total={total}
          onChange={(page) => void screen.goToPage(page + 1)}
          label="Pages of domains"
        >
          <PageSize
            value={query.pageSize}
            onChange={(size) => void screen.show({ pageSize: size === defaultPageSize ? undefined : size })}
          />
        </Pagination>
      )}
      <DomainDialogs screen={screen} isAdmin={isAdmin} current={current} onDelete={setDeleting} />
      <DeleteConfirm
        what={deleting === 'selection' ? selected.length : deleting}
        isBusy={remove.isBusy}
        onClose={() => setDeleting(undefined)}
        onConfirm={() => {
          if (deleting === 'selection') remove.many.mutate(selected);
          else if (deleting) remove.one.mutate(deleting);
        }}
      />
    </Container>
  );
}

/** The chosen rows; another question or page starts without any. */
function useSelection(question: string) {
  const [selection, setSelection] = useState<RowSelectionState>({});
  const [asked, setAsked] = useState(question);
  if (asked !== question) {
    setAsked(question);
    setSelection({});
  }
  return [selection, setSelection] as const;
}

/** A page behind the end, after a deletion or by an old link, becomes the last one. */
function useLastPage(page: number, totalPages: number | undefined, onBehind: (lastPage: number) => void) {
  const isBehind = totalPages !== undefined && totalPages > 0 && page >= totalPages;
  useEffect(() => {
    if (isBehind) onBehind(totalPages);
  });
}
