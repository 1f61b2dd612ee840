import { Skeleton } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { RiskCounts } from '#shared/domains.ts';
import { formatCount } from '../lib/format.ts';
import { paths } from '../paths.ts';
import { ErrorState } from '../ui/states.tsx';
import { freshStatsQuery } from './queries.ts';
import styles from './stats-cards.module.css';

/** The number of domains in total and by risk level, each linked to its list. */
export function StatsCards() {
  const stats = useQuery(freshStatsQuery);
  if (stats.isError) {
    return <StatsError queries={[stats]} />;
  }
  const { data } = stats;
  return (
    <ul className={styles.cards} aria-label="Blacklist statistics">
      <TotalCards counts={data} />
      <CountCard
        name="Medium Risk"
        count={data?.medium}
        level="medium"
        to={paths.domains}
        search={{ riskLevel: 'medium' }}
      />
      <CountCard name="Low Risk" count={data?.low} level="low" to={paths.domains} search={{ riskLevel: 'low' }} />
    </ul>
  );
}

/** The cards for all domains and for high risk. `counts` is undefined until loaded. */
export function TotalCards({ counts }: { counts: (RiskCounts & { total: number }) | undefined }) {
  return (
    <>
      <CountCard name="Total Domains" count={counts?.total} to={paths.domains} />
      <CountCard
        name="High Risk"
        count={counts?.high}
        level="high"
        note={counts && counts.veryHigh > 0 ? `and ${formatCount(counts.veryHigh)} very high` : ''}
        to={paths.domains}
        search={{ riskLevel: 'high' }}
      />
    </>
  );
}

interface CountCardProps {
  name: string;
  /** Undefined until loaded. */
  count: number | undefined;
  to: (typeof paths)[keyof typeof paths];
  search?: Record<string, string>;
  level?: 'high' | 'medium' | 'low';
  /** Shown next to the number. An empty string reserves its space. */
  note?: string;
}

/** A number that links to the list of what it counts. */
export function CountCard({ name, count, to, search, level, note }: CountCardProps) {
  return (
    <li>
      <Link to={to} search={search} className={styles.card} data-level={level}>
        <span className={styles.name}>{name}</span>
        <span className={styles.value}>
          {count === undefined ? <Skeleton height={24} width={90} mt={5} /> : formatCount(count)}
          {note !== undefined && <span className={styles.note}>{note}</span>}
        </span>
      </Link>
    </li>
  );
}

/** Replaces the cards if their numbers cannot be loaded. */
export function StatsError({ queries }: { queries: UseQueryResult[] }) {
  return (
    <ErrorState
      description="Failed to load system statistics. Please try again."
      error={queries.find(({ error }) => error)?.error}
      onRetry={() => {
        for (const { refetch } of queries) void refetch();
      }}
      retrying={queries.some(({ isFetching }) => isFetching)}
    />
  );
}
