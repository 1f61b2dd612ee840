import type { ReactNode } from 'react';
import classes from './text-table.module.css';

interface Props {
  /** What the table is, for people who do not see it. */
  label: string;
  columns: readonly string[];
  className?: string;
  /** The rows, each with its name in a `th`. */
  children: ReactNode;
}

/** A table of words in a text. On a phone its cells stand below one another, each row under its name. */
export function TextTable({ label, columns, className = '', children }: Props) {
  return (
    <table className={`${classes.table} ${className}`} aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
