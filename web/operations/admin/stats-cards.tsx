import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Sigma, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { countOfRisk, riskLevels } from '#shared/blacklist/domains.ts';
import { RiskDots, riskLabels } from '../../blacklist/domains/domains.tsx';
import { paths } from '../../paths.ts';
import { formatCount } from '../../platform/format.ts';
import { ErrorState } from '../../ui/states.tsx';
import { freshStatsQuery, userCountQuery } from './queries.ts';
import styles from './stats-cards.module.css';

/** The number of domains in total and at each risk level, and the number of users, linked to their lists. */
export function StatsCards() {
  const stats = useQuery(freshStatsQuery);
  const users = useQuery(userCountQuery);
  const failed = [stats, users].filter(({ isLoadingError }) => isLoadingError);
  if (failed.length > 0) {
    return (
      <ErrorState
        description="Failed to load system statistics. Please try again."
        error={failed[0]?.error}
        onRetry={() => {
          for (const { refetch } of failed) void refetch();
        }}
        retrying={failed.some(({ isFetching }) => isFetching)}
      />
    );
  }
  const counts = stats.data;
  return (
    <ul className={styles.cards} aria-label="Blacklist statistics">
      <CountCard name="Total Domains" symbol={<Sigma {...icon} />} count={counts?.total} to={paths.domains} />
      {riskLevels.toReversed().map((level) => (
        <CountCard
          key={level}
          name={`${riskLabels[level]} Risk`}
          symbol={
            <span className={styles.level} data-level={level}>
              <RiskDots level={level} />
            </span>
          }
          count={counts && countOfRisk(counts, level)}
          to={paths.domains}
          search={{ riskLevel: level }}
        />
      ))}
      <CountCard
        name="Users"
        symbol={<Users {...icon} />}
        count={users.data?.count}
        to={paths.adminPanel}
        search={{ tab: 'users' }}
      />
    </ul>
  );
}

const icon = { size: 14, 'aria-hidden': true } as const;

interface CountCardProps {
  name: string;
  symbol: ReactNode;
  /** Undefined until loaded. */
  count: number | undefined;
  to: (typeof paths)[keyof typeof paths];
  search?: Record<string, string>;
}

/** A number that links to the list of what it counts. */
function CountCard({ name, symbol, count, to, search }: CountCardProps) {
  return (
    <li>
      <Link to={to} search={search} className={styles.card}>
        <span className={styles.symbol}>{symbol}</span>
        <span className={styles.name}>{name}</span>
        <span className={styles.value}>
          {count === undefined ? <Skeleton height={22} width="60%" /> : formatCount(count)}
        </span>
      </Link>
    </li>
  );
}
