import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { type MouseEvent, useState } from 'react';
import type { SavedView } from '#shared/blacklist/saved-views.ts';
import { Menu, menuItem } from '../../../ui/menu.tsx';
import type { MenuOpener } from '../../../ui/menu-button.tsx';
import { PendingMarker } from '../../../ui/states.tsx';
import { type DomainsScreen, getActiveSort } from '../search.ts';
import { toViewSearch, viewsQuery } from './default-view.ts';
import { ManageViews, SaveView } from './view-dialogs.tsx';
import styles from './views-menu.module.css';

interface ViewsMenuProps {
  screen: DomainsScreen;
  isAdmin: boolean;
  opener: MenuOpener;
}

/** The user's saved views: opens one, saves the current filters and sort as one, or manages them. */
export function ViewsMenu({ screen, isAdmin, opener }: ViewsMenuProps) {
  const { data: views, isLoadingError, refetch } = useQuery(viewsQuery);
  const [dialog, setDialog] = useState<'save' | 'manage'>();
  const current = describe(screen, isAdmin);
  const isCurrent = ({ query }: SavedView) =>
    current === describe({ search: { ...screen.search, ...toViewSearch(query) } }, isAdmin);
  const retry = (event: MouseEvent<HTMLElement>) => {
    // Keep the menu open, and the focus in it when this item disappears.
    event.stopPropagation();
    event.currentTarget.closest<HTMLElement>('[role="menu"]')?.focus();
    void refetch();
  };
  return (
    <>
      <Menu {...opener} startsOpen>
        {views?.length === 0 && (
          <div className={styles.hint}>Save a search with its filters to open it again later.</div>
        )}
        {isLoadingError && (
          <button type="button" role="menuitem" tabIndex={-1} className={menuItem} onClick={retry}>
            <RotateCw size={16} aria-hidden />
            Your views could not be loaded. Retry
          </button>
        )}
        {!views && !isLoadingError && <PendingMarker />}
        {views?.map((view) => (
          <button
            key={view.id}
            type="button"
            role="menuitemradio"
            aria-checked={isCurrent(view)}
            tabIndex={-1}
            className={`${menuItem} ${styles.view}`}
            onClick={() => void screen.show(toViewSearch(view.query))}
          >
            <span className={styles.name} dir="auto">
              {view.name}
            </span>
            {view.isDefault && <span className={styles.mark}>Default</span>}
          </button>
        ))}
        <div className={styles.line} />
        <button type="button" role="menuitem" tabIndex={-1} className={menuItem} onClick={() => setDialog('save')}>
          Save current view…
        </button>
        {views && views.length > 0 && (
          <button type="button" role="menuitem" tabIndex={-1} className={menuItem} onClick={() => setDialog('manage')}>
            Manage views…
          </button>
        )}
      </Menu>
      <SaveView
        opened={dialog === 'save'}
        onClose={() => setDialog(undefined)}
        views={views ?? []}
        screen={screen}
        isAdmin={isAdmin}
      />
      <ManageViews opened={dialog === 'manage'} onClose={() => setDialog(undefined)} views={views ?? []} />
    </>
  );
}

/** The same text for the same filters and sort. */
function describe({ search }: Pick<DomainsScreen, 'search'>, isAdmin: boolean): string {
  const { filter, tld, dateAdded, source, niche, riskLevel, confidence, list } = search;
  const sort = getActiveSort(search, isAdmin);
  return JSON.stringify([search.search, filter, tld, dateAdded, source, niche, riskLevel, confidence, list, sort]);
}
