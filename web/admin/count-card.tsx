import { Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { paths } from '../paths.ts';
import styles from './stats-cards.module.css';

const number = new Intl.NumberFormat('en-US');

interface Props {
  name: string;
  /** Undefined until known. */
  count: number | undefined;
  to: (typeof paths)[keyof typeof paths];
  search?: Record<string, string>;
  level?: 'high' | 'medium' | 'low';
  /** Stands beside the number; its place is kept while it is empty. */
  note?: string;
}

/** A number and the way to what it counts. */
export function CountCard({ name, count, to, search, level, note }: Props) {
  return (
    <li>
      <Link to={to} search={search} className={styles.card} data-level={level}>
        <span className={styles.name}>{name}</span>
        <span className={styles.value}>
          {count === undefined ? <Skeleton height={24} width={90} mt={5} /> : number.format(count)}
          {note !== undefined && <span className={styles.note}>{note}</span>}
        </span>
      </Link>
    </li>
  );
}
