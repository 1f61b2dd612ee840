import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { Checkbox } from './fields.tsx';
import { type Selection, toggleRow } from './selection.ts';
import styles from './table.module.css';
import { useMaxWidth } from './use-max-width.ts';

type Direction = 'ascending' | 'descending';

export interface Column<T, Sort extends string = string> {
  name: string;
  /** Replaces the name in the header. */
  header?: ReactNode;
  cell: (row: T) => ReactNode;
  /** CSS width on wide screens. */
  width?: string;
  /** What the table is sorted by after a click on the header. Without it, the column does not sort. */
  sort?: Sort | undefined;
  /**
   * Its place on a card, if that is not a line with its name: the title, a text below it, beside other marks, beside
   * other numbers, the row of actions, or nowhere.
   */
  onCard?: 'title' | 'text' | 'mark' | 'number' | 'actions' | 'hidden';
  isNumber?: boolean | undefined;
  /** Without a value, a row of the table has a dash, and a card leaves out the column. */
  hasValue?: (row: T) => boolean;
}

export type Key = string | number;
export type RowData = Record<`data-${string}`, string | boolean | undefined>;

interface Props<T, K extends Key, Sort extends string> {
  /** The accessible name of the table. */
  label: string;
  columns: readonly Column<T, Sort>[];
  rows: readonly T[];
  getRowKey: (row: T) => K;
  /** Attributes of a row, for its look. */
  getRowData?: (row: T) => RowData;
  /** Content below the cells of a row, such as an alert or the panel of an open row. */
  renderBelow?: (row: T) => ReactNode;
  /** Whether the rows are from the previous request while a new one is loading. */
  isStale?: boolean;
  sorted?: { by: Sort; direction: Direction } | undefined;
  onSort?: (by: Sort) => void;
  selection?: TableSelection<T, K> | undefined;
  /** Whether the table is the screen's main list: its header stays visible, and its cells are close to each other. */
  isMain?: boolean;
  /** Whether the table draws the frame around itself. */
  isFramed?: boolean;
}

export interface TableSelection<T, K> {
  selected: Selection<K>;
  onSelect(selected: Selection<K>): void;
  /** The name of a row, for its checkbox. */
  nameOf(row: T): string;
}

/**
 * Shows rows as a table, or by styles alone as cards on screens where a table would scroll sideways. The roles are
 * explicit, because browsers drop those of a table with another `display`.
 */
export function Table<T, K extends Key, Sort extends string = string>(props: Props<T, K, Sort>) {
  const { label, columns, rows, getRowKey, getRowData, renderBelow, sorted, onSort, selection } = props;
  const { isStale = false, isMain, isFramed = true } = props;
  // Above cards the headers are only for screen readers, and nothing invisible may take the focus.
  const isNarrow = useMaxWidth('narrow');
  const keys = rows.map(getRowKey);
  // Several numbers share a line of a card. A single one gets its own line, like the other columns.
  const hasNumbers = columns.filter(({ isNumber }) => isNumber).length > 1;
  const placeOf = ({ onCard, isNumber }: Column<T, Sort>) => onCard ?? (hasNumbers && isNumber ? 'number' : undefined);
  return (
    <div className={styles.frame} data-framed={isFramed} data-main={isMain}>
      <table {...roles.table} className={styles.table} aria-label={label} aria-busy={isStale} data-stale={isStale}>
        <thead {...roles.group}>
          <tr {...roles.row}>
            {selection && (
              <th {...roles.header} scope="col" className={styles.select}>
                <SelectPage keys={keys} selection={selection} />
              </th>
            )}
            {columns.map(({ name, header = name, width, sort, isNumber, onCard }) => {
              const direction = sorted?.by === sort ? sorted?.direction : undefined;
              return (
                <th
                  key={name}
                  {...roles.header}
                  scope="col"
                  style={isNarrow ? undefined : { width }}
                  data-number={isNumber || onCard === 'actions'}
                  aria-sort={sort && (direction ?? 'none')}
                >
                  {sort && onSort && !isNarrow ? (
                    <button type="button" className={styles.sort} onClick={() => onSort(sort)}>
                      {header}
                      <Arrow direction={direction} />
                    </button>
                  ) : (
                    header
                  )}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody {...roles.group}>
          {rows.map((row) => {
            const key = getRowKey(row);
            const below = renderBelow?.(row);
            return (
              <Fragment key={key}>
                <tr {...roles.row} data-selected={selection?.selected.has(key)} {...getRowData?.(row)}>
                  {selection && (
                    <td {...roles.cell} className={styles.select}>
                      <SelectRow row={row} rowKey={key} keys={keys} selection={selection} />
                    </td>
                  )}
                  {columns.map((column) => (
                    <td
                      key={column.name}
                      {...roles.cell}
                      data-name={column.name}
                      data-number={column.isNumber}
                      data-on-card={column.hasValue?.(row) === false ? 'hidden' : placeOf(column)}
                    >
                      {column.hasValue?.(row) === false ? <span data-quiet>–</span> : column.cell(row)}
                    </td>
                  ))}
                </tr>
                {below && (
                  <tr {...roles.row} className={styles.below}>
                    <td {...roles.cell} colSpan={columns.length + (selection ? 1 : 0)}>
                      {below}
                    </td>
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

const roles = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  header: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const;

function Arrow({ direction }: { direction: Direction | undefined }) {
  const Icon = direction === 'ascending' ? ArrowUp : direction === 'descending' ? ArrowDown : ChevronsUpDown;
  return <Icon size={14} aria-hidden className={styles.arrow} />;
}

interface SelectPageProps<K> {
  keys: readonly K[];
  selection: Omit<TableSelection<never, K>, 'nameOf'>;
}

/** Selects all rows of the page, or none if all are selected. Above cards, styles show its name. */
function SelectPage<K>({ keys, selection: { selected, onSelect } }: SelectPageProps<K>) {
  const areAllSelected = keys.every((key) => selected.has(key));
  return (
    <Checkbox
      className={styles.selectAll}
      label=""
      aria-label="Select all on this page"
      checked={areAllSelected}
      indeterminate={selected.size > 0 && !areAllSelected}
      onChange={() => onSelect(new Set(areAllSelected ? [] : keys))}
    />
  );
}

interface SelectRowProps<T, K> {
  row: T;
  rowKey: K;
  keys: readonly K[];
  selection: TableSelection<T, K>;
}

/** Selects a row. With Shift, it selects a range. */
function SelectRow<T, K>({ row, rowKey, keys, selection: { selected, onSelect, nameOf } }: SelectRowProps<T, K>) {
  return (
    <Checkbox
      aria-label={`Select ${nameOf(row)}`}
      checked={selected.has(rowKey)}
      // A click with Shift would also select the text between the boxes.
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      onChange={({ nativeEvent }) => {
        const isRange = nativeEvent instanceof MouseEvent && nativeEvent.shiftKey;
        onSelect(toggleRow(keys, selected, rowKey, isRange));
      }}
    />
  );
}
