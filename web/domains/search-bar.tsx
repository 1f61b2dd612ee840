import { Button, Select, TextInput } from '@mantine/core';
import { Search, SlidersHorizontal } from 'lucide-react';
import { type FormEvent, useRef } from 'react';
import { useDraft } from '../lib/use-draft.ts';
import { useSearchKey } from '../lib/use-search-key.ts';
import { type DomainsSearch, sortInUse } from './search.ts';
import styles from './search-bar.module.css';
import { sortOptions } from './sorts.ts';
import type { DomainsScreen } from './use-domains-screen.ts';

const filters = [
  { value: 'all', label: 'All domains' },
  { value: 'recent', label: 'Recently added' },
];

interface SearchBarProps {
  screen: DomainsScreen;
  isAdmin: boolean;
  /** The panel below is open; it has the id `advancedId`. */
  isAdvanced: boolean;
  advancedId: string;
  advancedCount: number;
  onAdvanced(): void;
}

/** Search box, 'Filter by', 'Sort by' and the switch of the advanced filters. */
export function SearchBar({ screen, isAdmin, isAdvanced, advancedId, advancedCount, onAdvanced }: SearchBarProps) {
  const { search } = screen;
  const input = useRef<HTMLInputElement>(null);
  useSearchKey(input);

  // While a person goes on typing, the history keeps one entry for the whole word.
  const text = useDraft(search.search ?? '', (next) =>
    screen.show({ search: next.trim() || undefined }, search.search !== undefined && next.trim() !== ''),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    text.apply();
  };
  const sort = sortInUse(search, isAdmin);

  return (
    <div className={styles.bar}>
      <search className={styles.search}>
        <form className={styles.form} onSubmit={submit}>
          <TextInput
            ref={input}
            className={styles.input}
            type="search"
            aria-label="Search domains"
            placeholder="Search domains"
            leftSection={<Search size={16} aria-hidden />}
            rightSection={
              <kbd className={styles.key} title="Press / to search">
                /
              </kbd>
            }
            rightSectionPointerEvents="none"
            maxLength={2048}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            value={text.value}
            onChange={(event) => text.change(event.currentTarget.value)}
          />
          <Button type="submit">Search</Button>
        </form>
      </search>
      <Select
        className={styles.filter}
        aria-label="Filter by"
        data={filters}
        value={search.filter ?? 'all'}
        allowDeselect={false}
        onChange={(value) => screen.show({ filter: value === 'recent' ? 'recent' : undefined })}
      />
      <Select
        className={styles.sort}
        aria-label="Sort by"
        data={sortOptions(isAdmin)}
        value={sort}
        allowDeselect={false}
        maxDropdownHeight={420}
        onChange={(value) => screen.show({ sort: (value ?? undefined) as DomainsSearch['sort'] })}
      />
      <Button
        className={styles.advanced}
        variant="default"
        leftSection={<SlidersHorizontal size={16} aria-hidden />}
        aria-expanded={isAdvanced}
        aria-controls={advancedId}
        onClick={onAdvanced}
      >
        Advanced filters
        {advancedCount > 0 && <span className={styles.count}>{advancedCount}</span>}
      </Button>
    </div>
  );
}
