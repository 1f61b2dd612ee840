import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ErrorState } from '../ui/error-state.tsx';
import { statsQuery } from './queries.ts';
import styles from './stats-cards.module.css';

const number = new Intl.NumberFormat('en-US');

/** The blacklist in four numbers. */
export function StatsCards() {
  const stats = useQuery(statsQuery);
  if (stats.isError) {
    return (
      <ErrorState
        description="Failed to load system statistics. Please try again."
        error={stats.error}
        onRetry={() => void stats.refetch()}
        retrying={stats.isFetching}
      />
    );
  }
  const { data } = stats;
  const cards = [
    { name: 'Total Domains', value: data?.total },
    {
      name: 'High Risk',
      value: data?.high,
      level: 'high',
      note: data && data.veryHigh > 0 ? `and ${number.format(data.veryHigh)} very high` : undefined,
    },
    { name: 'Medium Risk', value: data?.medium, level: 'medium' },
    { name: 'Low Risk', value: data?.low, level: 'low' },
  ];
  return (
    <dl className={styles.cards}>
      {cards.map(({ name, value, level, note }) => (
        <div key={name} className={styles.card} data-level={level}>
          <dt>{name}</dt>
          <dd className={styles.value}>
            {value === undefined ? <Skeleton height={24} width={90} mt={8} /> : number.format(value)}
            {note && <span className={styles.note}>{note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
