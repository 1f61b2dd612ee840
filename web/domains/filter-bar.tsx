import { SlidersHorizontal } from 'lucide-react';
import { lazy, Suspense, useId, useState } from 'react';
import { domainSorts } from '#shared/domains.ts';
import { Button } from '../ui/button.tsx';
import { SelectField } from '../ui/select-field.tsx';
import styles from './filter-bar.module.css';
import { advancedNames, sortInUse } from './search.ts';
import { SearchBox } from './search-box.tsx';
import { sortOptions } from './sorts.ts';
import type { DomainsScreen } from './use-domains-screen.ts';

const AdvancedFilters = lazy(() =>
  import('./advanced-filters.tsx').then((module) => ({ default: module.AdvancedFilters })),
);

const filters = [
  { value: 'all', label: 'All domains' },
  { value: 'recent', label: 'Recently added' },
];

/** Search box, 'Filter by', 'Sort by' and the advanced filters. */
export function FilterBar({ screen, isAdmin }: { screen: DomainsScreen; isAdmin: boolean }) {
  const { search } = screen;
  const panelId = useId();
  const advancedCount = advancedNames.filter((name) => search[name] !== undefined).length;
  const [isOpen, setOpen] = useState(advancedCount > 0);
  const [isLoaded, setLoaded] = useState(isOpen);

  return (
    <>
      <div className={styles.bar}>
        <SearchBox screen={screen} />
        <SelectField
          className={styles.filter}
          aria-label="Filter by"
          options={filters}
          value={search.filter ?? 'all'}
          onChange={(chosen) => void screen.show({ filter: chosen === 'recent' ? 'recent' : undefined })}
        />
        <SelectField
          className={styles.sort}
          aria-label="Sort by"
          options={sortOptions(isAdmin)}
          value={sortInUse(search, isAdmin)}
          onChange={(chosen) => void screen.show({ sort: domainSorts.find((sort) => sort === chosen) })}
        />
        <Button
          className={styles.advanced}
          variant="default"
          leftSection={<SlidersHorizontal size={16} aria-hidden />}
          aria-expanded={isOpen}
          aria-controls={panelId}
          onClick={() => {
            setLoaded(true);
            setOpen(!isOpen);
          }}
        >
          Advanced filters
          {advancedCount > 0 && <span className={styles.count}>{advancedCount}</span>}
        </Button>
      </div>
      <div id={panelId} className={styles.panel} data-open={isOpen || undefined}>
        <div>
          {isLoaded && (
            <Suspense fallback={<div className={styles.placeholder} data-waiting />}>
              <AdvancedFilters screen={screen} isAdmin={isAdmin} />
            </Suspense>
          )}
        </div>
      </div>
    </>
  );
}
