import type { Domain } from '#shared/blacklist/domains.ts';
import { plural } from '../../platform/format.ts';
import { DateText } from '../../ui/date-text.tsx';
import styles from './domain-cards.module.css';
import {
  DomainActions,
  DomainLink,
  formatCost,
  missing,
  type SelectionProps,
  SelectPage,
  SelectRow,
} from './domain-cells.tsx';
import { ConfidenceBadge, RiskBadge } from './domains.tsx';
import { SourceLabel } from './source-label.tsx';

interface DomainCardsProps extends SelectionProps {
  isAdmin: boolean;
  isStale: boolean;
  onDelete(domain: Domain): void;
}

/** The list of domains on narrow screens. */
export function DomainCards({ domains, isAdmin, isStale, selection, onSelect, onDelete }: DomainCardsProps) {
  const selecting = { domains, selection, onSelect };
  return (
    <div data-stale={isStale || undefined} className={styles.cards} aria-busy={isStale}>
      <SelectPage className={styles.all} label="Select all on this page" {...selecting} />
      <ul aria-label="Domains">
        {domains.map((domain) => (
          <li key={domain.id} className={styles.card} data-selected={selection.has(domain.id) || undefined}>
            <div className={styles.top}>
              <SelectRow domain={domain} {...selecting} />
              <DomainLink id={domain.id} name={domain.domain} />
            </div>
            <div className={styles.marks}>
              <RiskBadge level={domain.riskLevel} />
              <ConfidenceBadge confidence={domain.confidence} />
              {domain.niche && (
                <span className={styles.niche} dir="auto">
                  {domain.niche}
                </span>
              )}
            </div>
            <dl className={styles.facts}>
              <Fact label="DR">{domain.domainRating ?? missing}</Fact>
              <Fact label="Cost">{formatCost(domain.cost)}</Fact>
              <Fact label="Added">
                <DateText value={domain.dateAdded} />
              </Fact>
            </dl>
            {isAdmin ? (
              <div className={styles.bottom}>
                <SourceLabel source={domain.source} />
                <DomainActions domain={domain} onDelete={() => onDelete(domain)} />
              </div>
            ) : (
              <div className={styles.listed}>Listed by {plural(domain.sourceCount, 'source')}</div>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
