import type { RiskCounts } from '#shared/domains.ts';
import { paths } from '../paths.ts';
import { CountCard } from './count-card.tsx';

const number = new Intl.NumberFormat('en-US');

/** How large the blacklist is, and how much of it is of high risk. `counts` are undefined until known. */
export function TotalCards({ counts }: { counts: (RiskCounts & { total: number }) | undefined }) {
  return (
    <>
      <CountCard name="Total Domains" count={counts?.total} to={paths.domains} />
      <CountCard
        name="High Risk"
        count={counts?.high}
        level="high"
        note={counts && counts.veryHigh > 0 ? `and ${number.format(counts.veryHigh)} very high` : ''}
        to={paths.domains}
        search={{ riskLevel: 'high' }}
      />
    </>
  );
}
