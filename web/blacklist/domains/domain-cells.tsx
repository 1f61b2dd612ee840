import { Link } from '@tanstack/react-router';
import { Pencil, Trash2 } from 'lucide-react';
import type { ComponentProps, Dispatch, SetStateAction } from 'react';
import type { Domain } from '#shared/blacklist/domains.ts';
import { IconButton, iconButton } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Checkbox } from '../../ui/fields.tsx';
import styles from './domain-cells.module.css';

/** A domain name that links to its details. They open in a dialog over the current list. */
export function DomainLink({ id, name }: { id: number; name: string }) {
  return (
    <span className={styles.domain}>
      <Link
        to="."
        search={(before: object) => ({ ...before, domain: id, dialog: undefined })}
        state={{ openedFromList: true }}
        resetScroll={false}
        preload={false}
        className={styles.name}
        data-row={id}
        title={name}
      >
        {name}
      </Link>
      <span className={styles.copy}>
        <CopyButton value={name} label={`Copy ${name}`} />
      </span>
    </span>
  );
}

/** The Edit and Delete buttons of a row, for admins. */
export function DomainActions({ domain, onDelete }: { domain: Domain; onDelete(): void }) {
  return (
    <span className={styles.actions}>
      <Link
        to="."
        search={(before: object) => ({ ...before, dialog: 'edit' as const, domain: domain.id })}
        state={{ openedFromList: true }}
        resetScroll={false}
        preload={false}
        className={iconButton}
        aria-label={`Edit ${domain.domain}`}
        title="Edit"
      >
        <Pencil size={16} aria-hidden />
      </Link>
      <IconButton label={`Delete ${domain.domain}`} title="Delete" className={styles.delete} onClick={onDelete}>
        <Trash2 size={16} aria-hidden />
      </IconButton>
    </span>
  );
}

/** The ids of the selected domains, in the order in which they were selected. */
export type Selection = ReadonlySet<number>;

/**
 * Returns the selection after a click on a row. A range adds all rows from the one that was selected last to this one.
 */
export function toggleRow(domains: readonly Domain[], selection: Selection, id: number, isRange: boolean): Selection {
  const next = new Set(selection);
  const rows = domains.map((domain) => domain.id);
  const last = rows.indexOf([...selection].at(-1) ?? 0);
  const row = rows.indexOf(id);
  if (isRange && last !== -1) {
    for (const each of rows.slice(Math.min(last, row), Math.max(last, row) + 1)) next.add(each);
    // The next range starts at this row, so it must be the last one.
    next.delete(id);
    next.add(id);
  } else if (!next.delete(id)) {
    next.add(id);
  }
  return next;
}

export interface SelectionProps {
  /** The rows of the page. */
  domains: Domain[];
  selection: Selection;
  onSelect: Dispatch<SetStateAction<Selection>>;
}

/** The checkbox that selects the whole page, or nothing if the whole page is already selected. */
export function SelectPage({ domains, selection, onSelect, ...box }: SelectionProps & PageBox) {
  const areAllSelected = domains.every(({ id }) => selection.has(id));
  return (
    <Checkbox
      checked={areAllSelected}
      indeterminate={selection.size > 0 && !areAllSelected}
      onChange={() => onSelect(new Set(areAllSelected ? [] : domains.map(({ id }) => id)))}
      {...box}
    />
  );
}

type PageBox = Pick<ComponentProps<typeof Checkbox>, 'label' | 'aria-label' | 'className'>;

/** The checkbox of a row. With Shift, it selects a range. */
export function SelectRow({ domain, domains, selection, onSelect }: SelectionProps & { domain: Domain }) {
  return (
    <Checkbox
      aria-label={`Select ${domain.domain}`}
      checked={selection.has(domain.id)}
      // A click with Shift would also select the text between the boxes.
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      onChange={({ nativeEvent }) => {
        const isRange = nativeEvent instanceof MouseEvent && nativeEvent.shiftKey;
        onSelect((before) => toggleRow(domains, before, domain.id, isRange));
      }}
    />
  );
}

/** Shown in place of a missing value. */
export const missing = 'N/A';

/** The cost as entered, without surrounding quotes; 'N/A' if empty. */
export function formatCost(cost: string | null): string {
  const bare = cost
    ?.trim()
    .replace(/^(["'])(.*)\1$/s, '$2')
    .trim();
  return bare ? bare : missing;
}
