import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useRef, useState } from 'react';
import { type Domain, isFiltered } from '#shared/blacklist/domains.ts';
import { useUser } from '../../accounts/sessions/session.tsx';
import { lazyPart, loadPart } from '../../platform/load-part.ts';
import { useLastPage } from '../../platform/use-list-url.ts';
import { useTitle } from '../../platform/use-title.ts';
import { SelectField } from '../../ui/fields.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { useSelection } from '../../ui/selection.ts';
import { PendingMarker } from '../../ui/states.tsx';
import { type Import, useImport } from '../imports/imports.tsx';
import { Composition } from './charts.tsx';
import { refreshDomains, statsQuery } from './domains.tsx';
import { DomainsHeader, ListBar, RiskCounts } from './domains-header.tsx';
import { DomainsList, isSearchLimit } from './domains-list.tsx';
import styles from './domains-page.module.css';
import { FilterBar } from './filter-bar.tsx';
import { domainsQuery } from './queries.ts';
import { defaultPageSize, pageSizes, toListQuery, useDomainsScreen } from './search.ts';
import { useDefaultView } from './views/default-view.ts';

/** The domain blacklist. Only admins can change it. */
export function DomainsPage() {
  useTitle('Blacklist');
  return useUser().isAdmin ? <DomainsAdmin /> : <DomainsView />;
}

/** The blacklist for admins. It owns the import, so that an import continues while its dialog is closed. */
function DomainsAdmin() {
  const client = useQueryClient();
  const screen = useDomainsScreen();
  const importer = useImport({
    onImported: () => void refreshDomains(client),
    onFinished: () => screen.search.dialog === 'import' && void screen.close(),
  });
  return <DomainsView importer={importer} />;
}

const NameListSummary = lazyPart(() => import('./name-list/name-list-summary.tsx'), 'NameListSummary');
const DomainFilterChips = lazyPart(() => import('./domain-filter-chips.tsx'), 'DomainFilterChips');
const loadDialogs = () => import('./domain-dialogs.tsx');
const loadSelectionBar = () => import('./selection-bar.tsx');
const SelectionBar = lazyPart(loadSelectionBar, 'SelectionBar');
const DomainDialogs = lazyPart(loadDialogs, 'DomainDialogs');

/** The blacklist screen. @param importer the admin's import; without it the screen is read-only */
function DomainsView({ importer }: { importer?: Import }) {
  const isAdmin = importer !== undefined;
  const screen = useDomainsScreen();
  const { search } = screen;
  const query = { ...toListQuery(search, isAdmin), list: search.list };
  const list = useQuery(domainsQuery(query));
  const stats = useQuery(statsQuery);
  const total = list.data?.pagination.total;

  const [selection, setSelection] = useSelection<number>(JSON.stringify(query));
  const selected = list.data?.domains.filter(({ id }) => selection.has(id)) ?? [];
  const results = useRef<HTMLElement>(null);
  const [deleting, setDeleting] = useState<Domain | number[]>();
  const onDeleted = () => {
    setSelection(new Set());
    if (search.domain !== undefined) void screen.leave();
    setDeleting(undefined);
  };
  const hasDialogs = useHasBeenTrue(
    search.domain !== undefined || search.dialog !== undefined || deleting !== undefined,
  );

  useDefaultView(screen);
  useLastPage(query.page, list, (page) => void screen.goToPage(page, true));
  useEffect(() => {
    // Preload what the first press is likely to need, so that it shows at once.
    const timer = setTimeout(() => void loadPart(() => Promise.all([loadDialogs(), loadSelectionBar()])), 2000);
    return () => clearTimeout(timer);
  }, []);

  return (
    <div className={styles.page}>
      <div className={styles.parts}>
        <DomainsHeader
          screen={screen}
          importer={importer}
          total={stats.data?.total}
          lastUpdated={stats.data?.lastUpdated}
        />
        <RiskCounts screen={screen} query={query} all={stats.data} />
        <CompositionSection />
        <FilterBar screen={screen} isAdmin={isAdmin} />
        {search.list !== undefined && (
          <Suspense fallback={<div className={styles.namesPlaceholder} data-waiting />}>
            <NameListSummary screen={screen} query={query} placeholder={<div className={styles.namesPlaceholder} />} />
          </Suspense>
        )}
        {isFiltered(search) && (
          <Suspense fallback={<div className={styles.chipsPlaceholder} data-waiting />}>
            <DomainFilterChips screen={screen} isAdmin={isAdmin} />
          </Suspense>
        )}
        <section ref={results} className={styles.list} id="results" aria-label="Results" tabIndex={-1}>
          <ListBar screen={screen} isAdmin={isAdmin} total={total} blacklistTotal={stats.data?.total}>
            {selected.length > 0 && (
              <Suspense fallback={<PendingMarker />}>
                <SelectionBar
                  names={selected.map(({ domain }) => domain)}
                  onDelete={isAdmin ? () => setDeleting(selected.map(({ id }) => id)) : undefined}
                  onClear={() => setSelection(new Set())}
                />
              </Suspense>
            )}
          </ListBar>
          <DomainsList
            results={results}
            screen={screen}
            isAdmin={isAdmin}
            domains={list.data?.domains}
            totalPages={list.data?.pagination.totalPages ?? 1}
            error={list.error}
            isFetching={list.isFetching}
            isStale={list.isPlaceholderData}
            selection={selection}
            onSelect={setSelection}
            onDelete={setDeleting}
            onRetry={() => list.refetch()}
          />
        </section>
        {total !== undefined && !isSearchLimit(list.error) && (
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
      </div>
      {hasDialogs && (
        <Suspense fallback={<PendingMarker />}>
          <DomainDialogs
            screen={screen}
            importer={importer}
            deleting={deleting}
            domains={list.data?.domains ?? []}
            onDelete={setDeleting}
            onCancelDelete={() => setDeleting(undefined)}
            onDeleted={onDeleted}
          />
        </Suspense>
      )}
    </div>
  );
}

/** The composition of the blacklist, which loads when it is opened. */
function CompositionSection() {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles.composition} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>Composition and risk levels</h2>
      </summary>
      {isOpen && <Composition />}
    </details>
  );
}

/** Whether `value` is true or was true in an earlier render. */
function useHasBeenTrue(value: boolean): boolean {
  const [hasBeenTrue, setHasBeenTrue] = useState(value);
  if (value && !hasBeenTrue) setHasBeenTrue(true);
  return hasBeenTrue || value;
}

type Size = (typeof pageSizes)[number];

const options = pageSizes.map((size) => ({ value: String(size), label: `${size} per page` }));

/** The select for the number of rows per page. */
function PageSize({ value, onChange }: { value: number; onChange(size: Size): void }) {
  return (
    <SelectField
      aria-label="Rows per page"
      size="xs"
      options={options}
      value={String(value)}
      onChange={(chosen) => onChange(pageSizes.find((size) => String(size) === chosen) ?? pageSizes[0])}
    />
  );
}
