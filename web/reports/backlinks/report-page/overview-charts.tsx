import { useMediaQuery } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { confidences } from '#shared/blacklist/domains.ts';
import type { HistoryEntry, SharedReport } from '#shared/reports/report-shares.ts';
import { RiskBar } from '../../../blacklist/domains/charts.tsx';
import { confidenceLabels } from '../../../blacklist/domains/domains.tsx';
import { formatCount, plural } from '../../../platform/format.ts';
import { lazyPart } from '../../../platform/load-part.ts';
import { Bars } from '../../../ui/bars.tsx';
import { DateText } from '../../../ui/date-text.tsx';
import { PendingMarker } from '../../../ui/states.tsx';
import { getPercentage } from '../toxicity.tsx';
import styles from './overview-charts.module.css';
import type { ReportSearch } from './search.ts';

const TrendChart = lazyPart(async () => (await import('../trend-chart.tsx')).TrendChart);

interface OverviewChartsProps {
  overview: SharedReport['overview'];
  /** The website. */
  domain: string;
  /** The reports of the website up to this one, newest first. */
  history: readonly HistoryEntry[];
}

/**
 * The trend of the website and the listed domains by risk, confidence, niche and TLD. Each value filters the list. Only
 * the trend is shown if no domain is listed.
 */
export function OverviewCharts({ overview, domain, history }: OverviewChartsProps) {
  const { previous } = overview;
  // As tall as the charts beside it.
  const isWide = useMediaQuery('(min-width: 62.0625em)', false, { getInitialValueInEffect: false });
  const height = isWide && overview.domains > 0 ? 240 : 150;
  const comparable = history.filter((report) => getPercentage(report) !== null);
  return (
    <div className={styles.charts} data-trend-only={overview.domains === 0 || undefined}>
      <Chart title="Trend" isTall>
        {previous && (
          <p className={styles.note}>
            Since <DateText value={previous.dateCreated} />:{' '}
            {previous.newDomains > 0 ? (
              <FilterLink change={{ only: 'new' }}>{plural(previous.newDomains, 'new toxic domain')}</FilterLink>
            ) : (
              'no new toxic domains'
            )}
            , {formatCount(previous.goneDomains)} gone
          </p>
        )}
        {comparable.length > 1 ? (
          <div className={styles.trend} style={{ height }}>
            <Suspense fallback={<PendingMarker />}>
              <TrendChart reports={comparable} domain={domain} height={height} />
            </Suspense>
          </div>
        ) : (
          <p className={styles.note}>
            {previous
              ? 'The trend needs two reports with at least 20 referring domains.'
              : 'This is the first report of the website. Upload an export each month to see a trend.'}
          </p>
        )}
      </Chart>
      {overview.domains > 0 && <DomainCharts overview={overview} />}
    </div>
  );
}

function DomainCharts({ overview }: Pick<OverviewChartsProps, 'overview'>) {
  const { niches, withoutNiche, tlds } = overview;
  return (
    <>
      <Chart title="Toxic domains by risk">
        <div className={styles.risk}>
          <Suspense fallback={<PendingMarker />}>
            <RiskBar
              counts={overview.riskCounts}
              renderLink={(risk, { className, children }) => (
                <FilterLink change={{ risk }} className={className}>
                  {children}
                </FilterLink>
              )}
            />
          </Suspense>
        </div>
      </Chart>
      <Chart title="Confidence">
        <Bars
          values={confidences
            .toReversed()
            .map((name) => ({ name, domains: overview.confidenceCounts[name] }))
            .filter(({ domains }) => domains > 0)}
          toLabel={(name) => confidenceLabels[confidences.find((known) => known === name) ?? 'reported']}
          renderRow={({ name, ...look }) => (
            <FilterLink change={{ confidence: confidences.find((known) => known === name) }} {...look} />
          )}
        />
      </Chart>
      <Chart title="Niches">
        <Bars
          values={niches.top.slice(0, maxBars)}
          renderRow={({ name, ...look }) => <FilterLink change={{ niche: name }} {...look} />}
        />
        {withoutNiche > 0 && <p className={styles.note}>{plural(withoutNiche, 'domain')} without a niche</p>}
      </Chart>
      <Chart title="TLDs">
        <Bars
          values={tlds.top.slice(0, maxBars)}
          toLabel={(tld) => `.${tld}`}
          renderRow={({ name, ...look }) => <FilterLink change={{ tld: name }} {...look} />}
        />
      </Chart>
    </>
  );
}

const maxBars = 4;

function Chart({ title, isTall, children }: { title: string; isTall?: boolean; children: ReactNode }) {
  return (
    <section className={styles.chart} data-tall={isTall}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

interface FilterLinkProps {
  change: Partial<ReportSearch>;
  className?: string | undefined;
  children: ReactNode;
}

/** Adds a filter to the list of the page. */
function FilterLink({ change, ...look }: FilterLinkProps) {
  const patch: object = { ...change, page: undefined, open: undefined };
  return (
    <Link to="." search={(before: object) => ({ ...before, ...patch })} hash="domains" preload={false} {...look} />
  );
}
