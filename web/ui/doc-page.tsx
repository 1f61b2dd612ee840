import type { ReactNode } from 'react';
import styles from './doc-page.module.css';

interface Props {
  /** Shown above the text. Starts with the heading. */
  head: ReactNode;
  /** The table of contents, unless it is empty. `id` is the id of the section's element. */
  parts: readonly { id: string; title: string }[];
  /** A class for the text. */
  className?: string;
  children: ReactNode;
}

/** A long page with a table of contents, next to the text on wide screens and above it on narrow ones. */
export function DocPage({ head, parts, className = '', children }: Props) {
  return (
    <article className={styles.page}>
      <header className={styles.head}>{head}</header>
      {parts.length > 0 && (
        <nav className={styles.contents} aria-labelledby="contents">
          <h2 id="contents">On this page</h2>
          <ol>
            {parts.map(({ id, title }) => (
              <li key={id}>
                <a href={`#${id}`}>{title}</a>
              </li>
            ))}
          </ol>
        </nav>
      )}
      <div className={`${styles.text} ${className}`}>{children}</div>
    </article>
  );
}

interface TextTableProps {
  /** The accessible name of the table. */
  label: string;
  columns: readonly string[];
  className?: string;
  /** The rows, each with its row header in a `th`. */
  children: ReactNode;
}

/** A table within a text. On phones, the cells of each row are stacked below its row header. */
export function TextTable({ className = '', ...props }: TextTableProps) {
  return <PlainTable className={`${styles.table} ${className}`} {...props} />;
}

/** A table with its own look. */
export function PlainTable({ label, columns, className, children }: TextTableProps) {
  return (
    <table className={className} aria-label={label}>
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
