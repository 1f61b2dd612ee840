import styles from './domains-skeleton.module.css';

interface DomainsSkeletonProps {
  columns?: number;
  rows?: number;
}

/** Stands where the list will be while its first page is on the way. */
export function DomainsSkeleton({ columns = 6, rows = 5 }: DomainsSkeletonProps) {
  return (
    <div className={styles.rows} role="status" aria-label="Loading..." data-waiting>
      {places(rows).map((row) => (
        <div key={row} className={styles.row}>
          {places(columns).map((column) => (
            <span key={column} className={styles.bar} />
          ))}
        </div>
      ))}
    </div>
  );
}

const places = (count: number) => Array.from({ length: count }, (_, index) => index);
