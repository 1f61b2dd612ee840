import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import type { AskedTotal, ListSummary as Summary } from '#shared/checks/domain-lists.ts';
import { RiskBar } from '../../blacklist/domains/charts.tsx';
import { paths } from '../../paths.ts';
import { formatCount, plural } from '../../platform/format.ts';
import panel from '../../ui/panel.module.css';
import styles from './list-summary.module.css';
import { formatPrice } from './results.ts';

/** The listed domains of a list by risk, and the quoted prices. */
export function ListSummary({ summary }: { summary: Summary }) {
  const { listed, duplicates, asked } = summary;
  return (
    <section className={`${panel.panel} ${styles.summary}`} aria-labelledby="list-risk">
      <h3 id="list-risk">Listed domains by risk</h3>
      {listed > 0 && (
        <div className={styles.bar}>
          <Suspense fallback={<div data-waiting />}>
            <RiskBar counts={summary.riskLevels} />
          </Suspense>
        </div>
      )}
      <Meaning summary={summary} />
      {asked.length > 0 && (
        <div className={styles.prices}>
          {asked.map((total) => (
            <AskedPrices key={total.currency} total={total} />
          ))}
        </div>
      )}
      {duplicates > 0 && (
        <p className={styles.note}>
          {plural(duplicates, 'repeated entry', 'repeated entries')} of the list {duplicates === 1 ? 'was' : 'were'}{' '}
          merged with the first one.
        </p>
      )}
    </section>
  );
}

function Meaning({ summary: { listed, notListed, isBlacklistEmpty } }: { summary: Summary }) {
  if (isBlacklistEmpty) {
    return (
      <p className={styles.note}>
        The blacklist of this installation is still empty, so the results say nothing about these domains.
      </p>
    );
  }
  return (
    <p className={styles.note}>
      {listed > 0 ? 'A listing is not proof that a particular link is for sale. ' : 'None of these domains is listed. '}
      {notListed > 0 && 'A domain that is not listed may still sell links. '}
      <Link to={paths.methodology}>Methodology</Link>
    </p>
  );
}

/** The sum of quoted prices in one currency, and how much of it is for listed domains. */
function AskedPrices({ total: { currency, total, listed, domains } }: { total: AskedTotal }) {
  const format = (amount: number) => formatPrice({ min: amount, max: amount, currency });
  return (
    <dl className={styles.total}>
      <div>
        <dt>Quoted for {plural(domains, 'domain')}</dt>
        <dd>{format(total)}</dd>
      </div>
      <div data-listed={listed > 0 || undefined}>
        <dt>For listed domains</dt>
        <dd>
          {format(listed)}
          {total > 0 && <span className={styles.share}>{formatCount(Math.round((100 * listed) / total))}%</span>}
        </dd>
      </div>
    </dl>
  );
}
