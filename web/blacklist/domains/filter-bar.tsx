import { Bookmark, ClipboardList, Search, SlidersHorizontal } from 'lucide-react';
import { type ClipboardEvent, type FormEvent, Suspense, useId, useRef, useState } from 'react';
import { domainSorts } from '#shared/blacklist/domains.ts';
import { useSearchShortcut } from '../../platform/keys.ts';
import { lazyPart } from '../../platform/load-part.ts';
import { useDraft } from '../../platform/use-draft.ts';
import { Button } from '../../ui/button.tsx';
import field from '../../ui/fields.module.css';
import { SelectField } from '../../ui/fields.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import { toastError } from '../../ui/toast.tsx';
import styles from './filter-bar.module.css';
import { isNameList } from './name-list/names.ts';
import { loadCheckNames } from './queries.ts';
import { advancedFilterKeys, type DomainsScreen, getActiveSort, sortOptions } from './search.ts';

const AdvancedFilters = lazyPart(() => import('./advanced-filters.tsx'), 'AdvancedFilters');

const ViewsMenu = lazyPart(() => import('./views/views-menu.tsx'), 'ViewsMenu');

const filters = [
  { value: 'all', label: 'All domains' },
  { value: 'recent', label: 'Recently added' },
];

/** The search box, the 'Filter by' and 'Sort by' selects and the advanced filters. */
export function FilterBar({ screen, isAdmin }: { screen: DomainsScreen; isAdmin: boolean }) {
  const { search } = screen;
  const panelId = useId();
  const advancedCount = advancedFilterKeys.filter((name) => search[name] !== undefined).length;
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
          value={getActiveSort(search, isAdmin)}
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
        <Views screen={screen} isAdmin={isAdmin} />
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

/** The button of the saved views. */
function Views({ screen, isAdmin }: { screen: DomainsScreen; isAdmin: boolean }) {
  const content = (
    <>
      <Bookmark size={16} aria-hidden />
      Views
    </>
  );
  return (
    <MenuButton label="Views" button={content} buttonClass={styles.views}>
      {(opener) => <ViewsMenu screen={screen} isAdmin={isAdmin} opener={opener} />}
    </MenuButton>
  );
}

/** The search field. It applies after a short delay, or at once with Enter or the Search button. */
function SearchBox({ screen }: { screen: DomainsScreen }) {
  const { search } = screen.search;
  const input = useRef<HTMLInputElement>(null);
  useSearchShortcut(input);

  // Replace the history entry while the user types, so that a word adds one entry and not one per pause.
  const text = useDraft(
    search ?? '',
    (next) => void screen.show({ search: next.trim() || undefined }, search !== undefined && next.trim() !== ''),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    text.apply();
  };
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData('text');
    if (!isNameList(pasted)) return;
    event.preventDefault();
    const { value } = event.currentTarget;
    void loadCheckNames().then(
      // The user may have left the screen or searched while the connection was lost.
      ({ openNameList }) => input.current?.value === value && openNameList(screen, pasted),
      () => toastError('Something went wrong', 'Reload the page and paste the list again.'),
    );
  };

  return (
    <search className={styles.search}>
      <form className={styles.form} onSubmit={submit}>
        <span className={styles.input}>
          <Search size={16} aria-hidden className={styles.glass} />
          <input
            ref={input}
            className={field.field}
            type="search"
            aria-label="Search domains"
            placeholder="Search domains"
            maxLength={2048}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            value={text.value}
            onChange={(event) => text.change(event.currentTarget.value)}
            onPaste={paste}
          />
          <kbd className={styles.key} title="Press / to search">
            /
          </kbd>
        </span>
        <Button type="submit">Search</Button>
        <Button
          variant="default"
          className={styles.paste}
          title="Paste a list"
          leftSection={<ClipboardList size={17} aria-hidden />}
          onClick={() => screen.open('list')}
        >
          <span className={styles.pasteLabel}>Paste a list</span>
        </Button>
      </form>
    </search>
  );
}
