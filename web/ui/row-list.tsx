import type { HTMLAttributes, ReactNode } from 'react';
import styles from './row-list.module.css';

interface RowListProps extends HTMLAttributes<HTMLUListElement> {
  /** Whether the list draws the frame around itself. */
  isFramed?: boolean;
}

/** A list of rows, which are not a table: each has a text, and its actions beside it. */
export function RowList({ isFramed = true, ...list }: RowListProps) {
  return <ul className={styles.list} data-framed={isFramed} {...list} />;
}

interface RowProps extends HTMLAttributes<HTMLLIElement> {
  icon?: ReactNode;
  text: ReactNode;
  /** The actions, and what else is beside or below the text. */
  children?: ReactNode;
}

export function Row({ icon, text, children, ...row }: RowProps) {
  return (
    <li className={styles.row} {...row}>
      {icon}
      <div className={styles.words}>{text}</div>
      {children}
    </li>
  );
}
