import { SearchX } from 'lucide-react';
import type { DomainList } from '#shared/checks/domain-lists.ts';
import { formatCount } from '../../platform/format.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { ListSearch } from '../../ui/list-search.tsx';
import styles from './list-filters.module.css';
import { toLabel } from './list-networks.tsx';
import { type CheckScreen, sorts, verdicts } from './screen.ts';

const sortOptions = [
  { value: '', label: 'Order of the list' },
  { value: 'risk', label: 'Highest risk first' },
  { value: 'price-desc', label: 'Highest price first' },
  { value: 'price-asc', label: 'Lowest price first' },
];

/** The filters and the order of the results. */
export function ResultFilters({ list: { summary, networks }, screen }: { list: DomainList; screen: CheckScreen }) {
  const { search, show } = screen;
  const verdictOptions = [
    { value: '', label: `All results (${formatCount(summary.total)})` },
    { value: 'listed', label: `Listed (${formatCount(summary.listed)})` },
    { value: 'not-listed', label: `Not listed (${formatCount(summary.notListed)})` },
    { value: 'invalid', label: `Invalid (${formatCount(summary.invalid)})` },
  ];
  const networkOptions = [
    { value: '', label: 'All sources' },
    ...networks.map((network, index) => ({ value: String(index + 1), label: toLabel(network) })),
  ];
  return (
    <div className={styles.filters}>
      <ListSearch
        label="Search this list"
        value={search.search}
        maxLength={253}
        onApply={(text) => void show({ search: text })}
      />
      <SelectField
        aria-label="Verdict"
        className={styles.select}
        options={verdictOptions}
        value={search.show ?? ''}
        onChange={(value) => void show({ show: verdicts.find((verdict) => verdict === value) })}
      />
      {networks.length > 0 && (
        <SelectField
          aria-label="Shared source"
          className={styles.select}
          options={networkOptions}
          value={String(search.network ?? '')}
          onChange={(value) => void show({ network: value === '' ? undefined : Number(value) })}
        />
      )}
      <SelectField
        aria-label="Order"
        className={styles.select}
        options={sortOptions}
        value={search.sort ?? ''}
        onChange={(value) => void show({ sort: sorts.find((sort) => sort === value) })}
      />
    </div>
  );
}

/** Shown if no result matches the filters. */
export function NoResults({ screen }: { screen: CheckScreen }) {
  return (
    <EmptyState icon={SearchX} order={3} title="No results" description="No entry of the list matches these filters.">
      <Button
        variant="default"
        onClick={() => void screen.show({ show: undefined, network: undefined, search: undefined })}
      >
        Clear filters
      </Button>
    </EmptyState>
  );
}
