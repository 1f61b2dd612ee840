import { Fragment, type ReactNode } from 'react';
import styles from './card-table.module.css';
import { useMaxWidth } from './use-max-width.ts';

export interface Column<T> {
  name: string;
  cell: (row: T) => ReactNode;
  /** CSS width on wide screens. */
  width?: string;
  /** Shown on a card without its column name: as the card's title, or in its row of actions. */
  onCard?: 'title' | 'actions';
  isNumber?: boolean;
  /** Without a value, a row of the table has a dash, and a card leaves out the column. */
  hasValue?: (row: T) => boolean;
}

interface Props<T> {
  /** The accessible name of the table. */
  label: string;
  columns: Column<T>[];
  rows: T[];
  getRowKey: (row: T) => string | number;
  /** Content below the cells of a row, such as an alert. */
  renderBelow?: (row: T) => ReactNode;
  /** Whether the rows are from the previous request while a new one is loading. */
  isStale?: boolean;
}

/** Shows rows as a table, or as cards on screens where a table would scroll sideways. */
export function CardTable<T>({ label, columns, rows, getRowKey, renderBelow, isStale = false }: Props<T>) {
  const isNarrow = useMaxWidth('narrow');
  if (isNarrow) {
    const titleFirst = columns.toSorted((a, b) => Number(b.onCard === 'title') - Number(a.onCard === 'title'));
    // Several numbers share a line. A single one gets its own line, like the other columns.
    const hasNumbers = columns.filter(({ isNumber }) => isNumber).length > 1;
    return (
      <ul className={styles.cards} aria-label={label} data-stale={isStale || undefined}>
        {rows.map((row) => (
          <li key={getRowKey(row)}>
            {titleFirst
              .filter(({ hasValue }) => hasValue?.(row) !== false)
              .map((column) => (
                <div
                  key={column.name}
                  className={styles.fact}
                  data-on-card={column.onCard}
                  data-number={(hasNumbers && column.isNumber) || undefined}
                >
                  {!column.onCard && <span className={styles.name}>{column.name}</span>}
                  <div className={styles.value}>{column.cell(row)}</div>
                </div>
              ))}
            <div className={styles.below}>{renderBelow?.(row)}</div>
          </li>
        ))}
      </ul>
    );
  }
  return (
    <div className={styles.frame} data-stale={isStale || undefined}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ name, width, isNumber, onCard }) => (
              <th key={name} scope="col" style={{ width }} data-number={isNumber || onCard === 'actions' || undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const below = renderBelow?.(row);
            return (
              <Fragment key={getRowKey(row)}>
                <tr>
                  {columns.map(({ name, cell, isNumber, onCard, hasValue }) => (
                    <td key={name} data-number={isNumber || undefined} data-actions={onCard === 'actions' || undefined}>
                      {hasValue?.(row) === false ? <span className={styles.name}>–</span> : cell(row)}
                    </td>
                  ))}
                </tr>
                {below && (
                  <tr className={styles.belowRow}>
                    <td colSpan={columns.length}>{below}</td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
