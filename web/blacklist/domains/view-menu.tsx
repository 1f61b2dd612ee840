import { Check } from 'lucide-react';
import { densities, setDensity, useDensity } from '../../ui/density.ts';
import { Menu, menuItem } from '../../ui/menu.tsx';
import type { MenuOpener } from '../../ui/menu-button.tsx';
import { chooseColumns, fitColumns, listColumns, useChosenColumns } from './columns.tsx';
import styles from './view-menu.module.css';

/** The 'Display' menu: the height of the rows and the columns of the table. */
export function ViewMenu({ isAdmin, opener }: { isAdmin: boolean; opener: MenuOpener }) {
  const density = useDensity();
  const chosen = useChosenColumns(isAdmin).map(({ id }) => id);
  const columns = listColumns(isAdmin);
  const choose = (ids: readonly string[]) => chooseColumns(columns.filter(({ id }) => ids.includes(id)));
  const width = document.getElementById('results')?.clientWidth ?? 0;
  const fitting = fitColumns(
    columns.filter(({ id }) => chosen.includes(id)),
    width,
    isAdmin,
  ).map(({ id }) => id);
  return (
    <Menu {...opener} startsOpen>
      {densities.map(({ value, label, Icon }) => (
        <button
          key={value}
          type="button"
          role="menuitemradio"
          aria-checked={value === density}
          tabIndex={-1}
          className={menuItem}
          onClick={() => setDensity(value)}
        >
          <Icon size={16} aria-hidden />
          {label}
          {value === density && <Check size={16} aria-hidden className={styles.check} />}
        </button>
      ))}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is not allowed in a menu */}
      <div role="group" aria-label="Columns" className={styles.columns}>
        {columns.map(({ id, name, title }) => {
          const isChosen = chosen.includes(id);
          return (
            <button
              key={id}
              type="button"
              role="menuitemcheckbox"
              aria-checked={isChosen}
              tabIndex={-1}
              className={menuItem}
              onClick={() => choose(isChosen ? chosen.filter((other) => other !== id) : [...chosen, id])}
            >
              <span className={styles.box}>{isChosen && <Check size={16} aria-hidden />}</span>
              {title ?? name} {isChosen && !fitting.includes(id) && <span className={styles.note}>No room</span>}
            </button>
          );
        })}
      </div>
      <button
        type="button"
        role="menuitem"
        tabIndex={-1}
        className={`${menuItem} ${styles.reset}`}
        onClick={() => chooseColumns(undefined)}
      >
        Reset columns
      </button>
    </Menu>
  );
}
