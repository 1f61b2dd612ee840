import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './domains-table.module.css';

interface SortHeaderProps {
  column: string;
  direction: 'ascending' | 'descending' | undefined;
  onSort(): void;
  children: ReactNode;
}

/** A header that sorts: ascending first, then descending. */
export function SortHeader({ column, direction, onSort, children }: SortHeaderProps) {
  const Arrow = direction === 'ascending' ? ArrowUp : direction === 'descending' ? ArrowDown : ChevronsUpDown;
  return (
    <th scope="col" data-column={column} aria-sort={direction ?? 'none'}>
      <button type="button" className={styles.sort} onClick={onSort}>
        {children}
        <Arrow size={14} aria-hidden className={styles.arrow} />
      </button>
    </th>
  );
}
