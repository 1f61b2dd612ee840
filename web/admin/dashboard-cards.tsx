import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import { paths } from '../paths.ts';
import { CountCard } from './count-card.tsx';
import { freshStatsQuery, userCountQuery } from './queries.ts';
import styles from './stats-cards.module.css';
import { StatsError } from './stats-error.tsx';
import { TotalCards } from './total-cards.tsx';

/** How things stand, each number the way to what it counts; and the way to the settings. */
export function DashboardCards() {
  const stats = useQuery(freshStatsQuery);
  const users = useQuery(userCountQuery);
  if (stats.isError || users.isError) {
    return <StatsError queries={[stats, users]} />;
  }
  const { data } = stats;
  return (
    <ul className={styles.cards} aria-label="How things stand">
      <TotalCards counts={data} />
      <CountCard name="Users" count={users.data?.count} to={paths.adminPanel} search={{ tab: 'users' }} />
      <li>
        <Link to={paths.adminPanel} search={{ tab: 'system' }} className={styles.card}>
          <span className={styles.name}>Settings</span>
          <span className={styles.way}>
            View
            <ArrowRight size={15} aria-hidden />
          </span>
        </Link>
      </li>
    </ul>
  );
}
