import type { ReactNode } from 'react';
import classes from './doc-page.module.css';

interface Props {
  /** Stands above the text, its heading first. */
  head: ReactNode;
  /** What the text consists of; `id` is an anchor in it. */
  parts: readonly { id: string; title: string }[];
  /** Of the text. */
  className?: string;
  children: ReactNode;
}

/** A text of many parts, which are listed beside it where there is room, else above it. */
export function DocPage({ head, parts, className = '', children }: Props) {
  return (
    <article className={classes.page}>
      <header className={classes.head}>{head}</header>
      <nav className={classes.contents} aria-labelledby="contents">
        <h2 id="contents">On this page</h2>
        <ol>
          {parts.map(({ id, title }) => (
            <li key={id}>
              <a href={`#${id}`}>{title}</a>
            </li>
          ))}
        </ol>
      </nav>
      <div className={`${classes.text} ${className}`}>{children}</div>
    </article>
  );
}

interface TextTableProps {
  /** What the table is, for people who do not see it. */
  label: string;
  columns: readonly string[];
  className?: string;
  /** The rows, each with its name in a `th`. */
  children: ReactNode;
}

/** A table of words in a text. On a phone its cells stand below one another, each row under its name. */
export function TextTable({ label, columns, className = '', children }: TextTableProps) {
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
