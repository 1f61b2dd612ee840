import { type ReactNode, Suspense } from 'react';
import { confidences } from '#shared/blacklist/domains.ts';
import type { HistoryEntry, SharedReport } from '#shared/reports/report-shares.ts';
import { RiskBar } from '../../../blacklist/domains/charts.tsx';
import { confidenceLabels } from '../../../blacklist/domains/domains.tsx';
import { formatCount, plural } from '../../../platform/format.ts';
import { Bars } from '../../../ui/bars.tsx';
import { DateText } from '../../../ui/date-text.tsx';
import { PendingMarker } from '../../../ui/states.tsx';
import { useMaxWidth } from '../../../ui/use-max-width.ts';
import { TrendChart } from '../lazy-trend-chart.ts';
import { getPercentage } from '../toxicity.tsx';
import { FilterLink } from './filter-link.tsx';
import styles from './overview-charts.module.css';
import type { ReportScreen } from './screen.ts';

interface OverviewChartsProps {
  screen: ReportScreen;
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
export function OverviewCharts({ screen, overview, domain, history }: OverviewChartsProps) {
  const { previous } = overview;
  // As tall as the charts beside it.
  const isNarrow = useMaxWidth('narrow');
  const height = isNarrow || overview.domains === 0 ? 150 : 240;
  const comparable = history.filter((report) => getPercentage(report) !== null);
  return (
    <div className={styles.charts} data-trend-only={overview.domains === 0 || undefined}>
      <Chart screen={screen} title="Trend" isTall>
        {previous && (
          <p className={styles.note}>
            Since <DateText value={previous.dateCreated} />:{' '}
            {previous.newDomains > 0 ? (
              <FilterLink screen={screen} change={{ only: 'new' }}>
                {plural(previous.newDomains, 'new toxic domain')}
              </FilterLink>
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
      {overview.domains > 0 && <DomainCharts screen={screen} overview={overview} />}
    </div>
  );
}

function DomainCharts({ screen, overview }: Pick<OverviewChartsProps, 'screen' | 'overview'>) {
  const { niches, withoutNiche, tlds } = overview;
  return (
    <>
      <Chart screen={screen} title="Toxic domains by risk">
        <div className={styles.risk}>
          <Suspense fallback={<PendingMarker />}>
            <RiskBar
              counts={overview.riskCounts}
              renderLink={(riskLevel, { className, children }) => (
                <FilterLink screen={screen} change={{ riskLevel }} className={className}>
                  {children}
                </FilterLink>
              )}
            />
          </Suspense>
        </div>
      </Chart>
      <Chart screen={screen} title="Confidence">
        <Bars
          values={confidences
            .toReversed()
            .map((name) => ({ name, domains: overview.confidenceCounts[name] }))
            .filter(({ domains }) => domains > 0)}
          toLabel={(name) => confidenceLabels[confidences.find((known) => known === name) ?? 'reported']}
          renderRow={({ name, ...look }) => (
            <FilterLink
              screen={screen}
              change={{ confidence: confidences.find((known) => known === name) }}
              {...look}
            />
          )}
        />
      </Chart>
      <Chart screen={screen} title="Niches">
        <Bars
          values={niches.top.slice(0, maxBars)}
          renderRow={({ name, ...look }) => <FilterLink screen={screen} change={{ niche: name }} {...look} />}
        />
        {withoutNiche > 0 && <p className={styles.note}>{plural(withoutNiche, 'domain')} without a niche</p>}
      </Chart>
      <Chart screen={screen} title="TLDs">
        <Bars
          values={tlds.top.slice(0, maxBars)}
          toLabel={(tld) => `.${tld}`}
          renderRow={({ name, ...look }) => <FilterLink screen={screen} change={{ tld: name }} {...look} />}
        />
      </Chart>
    </>
  );
}

const maxBars = 4;

interface ChartProps {
  screen: ReportScreen;
  title: string;
  isTall?: boolean;
  children: ReactNode;
}

function Chart({ screen, title, isTall, children }: ChartProps) {
  const Heading = screen.hasReview ? 'h2' : 'h3';
  return (
    <section className={styles.chart} data-tall={isTall}>
      <Heading>{title}</Heading>
      {children}
    </section>
  );
}
