import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { countOfRisk, type RiskCounts, type RiskLevel, riskLevels } from '#shared/blacklist/domains.ts';
import { paths } from '../../paths.ts';
import { formatCount } from '../../platform/format.ts';
import { RiskDots, riskLabels } from './domains.tsx';
import styles from './risk-bar.module.css';

interface RiskBarProps {
  counts: RiskCounts;
  /** Renders the link of a level to the domains with it. Without it, levels are not links. */
  renderLink?(level: RiskLevel, look: { className: string | undefined; children: ReactNode }): ReactNode;
}

/** Counts by risk level, highest first, as a stacked bar with a legend. Renders nothing if all are 0. */
export function RiskBar({ counts, renderLink }: RiskBarProps) {
  const levels = riskLevels.toReversed().map((level) => ({ level, count: countOfRisk(counts, level) }));
  const total = levels.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return null;
  return (
    <>
      <div className={styles.bar} aria-hidden>
        {levels.map(({ level, count }) =>
          count > 0 ? (
            <span key={level} className={styles.part} data-level={level} style={{ flexGrow: count / total }} />
          ) : null,
        )}
      </div>
      <ul className={styles.legend}>
        {levels.map(({ level, count }) => (
          <li key={level}>
            {renderLink ? (
              renderLink(level, {
                className: styles.item,
                children: <LegendItem level={level} count={count} total={total} />,
              })
            ) : (
              <span className={styles.item}>
                <LegendItem level={level} count={count} total={total} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function LegendItem({ level, count, total }: { level: RiskLevel; count: number; total: number }) {
  return (
    <>
      <span className={styles.key} data-level={level} aria-hidden>
        <RiskDots level={level} />
      </span>
      {riskLabels[level]} <span className={styles.count}>{formatCount(count)}</span>
      <span data-quiet>{formatShare(count / total)}</span>
    </>
  );
}

interface FilterLinkProps {
  filter: { riskLevel: RiskLevel } | { niche: string } | { tld: string };
  className: string | undefined;
  children: ReactNode;
}

/** A link to the domains that match only this filter. The blacklist has two paths. The link keeps the current one. */
export function FilterLink({ filter, ...look }: FilterLinkProps) {
  const { pathname } = useLocation();
  const to = pathname === paths.dashboard ? pathname : paths.domains;
  return <Link to={to} search={filter} resetScroll={pathname !== to} {...look} />;
}

/** '12%'. A share above 0 that rounds to 0 becomes '<1%', and one below 1 that rounds to 1 becomes '>99%'. */
export function formatShare(share: number): string {
  if (share > 0 && share < 0.005) return '<1%';
  if (share < 1 && share >= 0.995) return '>99%';
  return `${Math.round(share * 100)}%`;
}
