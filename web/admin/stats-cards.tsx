import { useQuery } from '@tanstack/react-query';
import { paths } from '../paths.ts';
import { CountCard } from './count-card.tsx';
import { freshStatsQuery } from './queries.ts';
import styles from './stats-cards.module.css';
import { StatsError } from './stats-error.tsx';
import { TotalCards } from './total-cards.tsx';

/** The blacklist in four numbers, each the way to what it counts. */
export function StatsCards() {
  const stats = useQuery(freshStatsQuery);
  if (stats.isError) {
    return <StatsError queries={[stats]} />;
  }
  const { data } = stats;
  return (
    <ul className={styles.cards} aria-label="The blacklist in numbers">
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
