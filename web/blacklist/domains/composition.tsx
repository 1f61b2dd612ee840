import '../../ui/more-styles.ts';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Composition as Counts, getComposition, type TopValues } from '#shared/blacklist/composition.ts';
import { riskLevels } from '#shared/blacklist/domains.ts';
import { toMonthId } from '#shared/blacklist/updates.ts';
import { paths } from '../../paths.ts';
import { endpointQuery } from '../../platform/endpoint-query.ts';
import { formatCount, plural } from '../../platform/format.ts';
import { Bars } from '../../ui/bars.tsx';
import hidden from '../../ui/hidden.module.css';
import { ErrorState } from '../../ui/states.tsx';
import styles from './composition.module.css';
import { riskLabels, riskSources } from './domains.tsx';
import { FilterLink, RiskBar } from './risk-bar.tsx';

const compositionQuery = endpointQuery(['stats', 'composition'], getComposition, {});

/** What the blacklist consists of: its domains by risk level, niche and TLD, and what changed each month. */
export function Composition() {
  const { data, error, refetch } = useQuery(compositionQuery);
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton radius="md" aria-hidden />;
  if (data.total === 0) return <p className={styles.none}>The blacklist is empty.</p>;
  const { niches, withoutNiche, tlds } = data;
  return (
    <div className={styles.parts}>
      <Part title="By risk" isWide>
        <RiskBar
          counts={data.riskCounts}
          renderLink={(riskLevel, look) => <FilterLink filter={{ riskLevel }} {...look} />}
        />
        <p className={styles.rest}>
          {riskLevels.map((level) => `${riskLabels[level]}: ${riskSources[level]}`).join(' · ')}.{' '}
          <Link to={paths.methodology} hash="risk-levels">
            How we rate domains
          </Link>
        </p>
      </Part>
      <Part title="Top niches">
        <Bars
          values={niches.top}
          renderRow={({ name, ...look }) => <FilterLink filter={{ niche: name }} {...look} />}
        />
        <Rest values={niches} one="other niche" many="other niches" />
        {withoutNiche > 0 && <p className={styles.rest}>{plural(withoutNiche, 'domain')} without a niche</p>}
      </Part>
      <Part title="Top TLDs">
        <Bars
          values={tlds.top}
          toLabel={(tld) => `.${tld}`}
          renderRow={({ name, ...look }) => <FilterLink filter={{ tld: name }} {...look} />}
        />
        <Rest values={tlds} one="other TLD" many="other TLDs" />
      </Part>
      <Part title="Added and removed by month">
        <Growth months={data.months} />
      </Part>
    </div>
  );
}

function Part({ title, isWide, children }: { title: string; isWide?: boolean; children: ReactNode }) {
  return (
    <section className={styles.part} data-wide={isWide}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function Rest({ values: { otherValues, otherDomains }, one, many }: { values: TopValues; one: string; many: string }) {
  if (otherValues === 0) return null;
  return (
    <p className={styles.rest}>
      {plural(otherDomains, 'domain')} in {plural(otherValues, one, many)}
    </p>
  );
}

/** A column above the axis for the added domains of each month, and one below it for the removed ones. */
function Growth({ months }: { months: Counts['months'] }) {
  const [added, removed] = [sum(months, 'added'), sum(months, 'removed')];
  if (added + removed === 0) {
    return <p className={styles.none}>No list or import has changed the blacklist in the last 12 months.</p>;
  }
  const max = Math.max(...months.flatMap((month) => [month.added, month.removed]));
  return (
    <>
      <ol className={styles.growth}>
        {months.map((month) => (
          <li key={month.month}>
            <Month {...month} max={max} />
          </li>
        ))}
      </ol>
      <p className={styles.rest}>
        {formatCount(added)} added and {formatCount(removed)} removed in 12 months, by lists and imports
      </p>
    </>
  );
}

const sum = (months: Counts['months'], key: 'added' | 'removed') =>
  months.reduce((total, month) => total + month[key], 0);

function Month({ month, added, removed, max }: Counts['months'][number] & { max: number }) {
  const start = new Date(`${month}-01T00:00:00Z`);
  const name = shortMonth.format(start);
  const columns = (
    <>
      <span className={styles.added} aria-hidden>
        {added > 0 && compact.format(added)}
        {added > 0 && <span style={{ height: toHeight(added, max) }} />}
      </span>
      <span className={styles.removed} aria-hidden>
        {removed > 0 && <span style={{ height: toHeight(removed, max) }} />}
        {removed > 0 && compact.format(removed)}
      </span>
      <span className={styles.month} aria-hidden>
        {name}
      </span>
    </>
  );
  if (added + removed === 0) return <div className={styles.column}>{columns}</div>;
  return (
    <Link to={paths.updates} hash={toMonthId(month)} className={styles.column}>
      {columns}
      <span className={hidden.hidden}>
        {longMonth.format(start)}: {formatCount(added)} added, {formatCount(removed)} removed
      </span>
    </Link>
  );
}

/** The height of a column. The number above or below it says how many domains a low column stands for. */
const toHeight = (count: number, max: number) => Math.max(2, (60 * count) / max);

const shortMonth = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' });
const longMonth = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 2 });
