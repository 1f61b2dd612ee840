import { VisuallyHidden } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import type { HistoryEntry } from '#shared/reports/report-shares.ts';
import { type Dates, useDates } from '../../ui/date-text.tsx';
import { toPath } from './sparkline.tsx';
import toxicity from './toxicity.module.css';
import { compareToxicity, formatPercentage, getTone, toxicityThresholds } from './toxicity.tsx';
import { createToxicityScale } from './toxicity-scale.ts';
import styles from './trend-chart.module.css';

const margin = { top: 12, right: 34, bottom: 24, left: 38 };
const thresholds = [toxicityThresholds.red, toxicityThresholds.orange];

interface TrendChartProps {
  /** Newest first. They have enough domains for a percentage. */
  reports: readonly HistoryEntry[];
  /** The website. */
  domain: string;
  /** In pixels. */
  height?: number;
}

/** The toxicity of a website's reports over time, with lines at 5% and 10%. */
export function TrendChart({ reports, domain, height = 150 }: TrendChartProps) {
  const { ref, width } = useElementSize();
  const dates = useDates();
  const { formatDate, formatTime, isSameDay } = dates;
  const last = new Date(reports[0]?.dateCreated ?? 0);
  const first = new Date(reports.at(-1)?.dateCreated ?? 0);
  const duration = last.getTime() - first.getTime();
  const inner = { width: Math.max(0, width - margin.left - margin.right), height: height - margin.top - margin.bottom };
  const scale = createToxicityScale(Math.max(0, ...reports.map((report) => report.toxicityPercentage)));
  const y = (percentage: number) => inner.height * (1 - scale.toPosition(percentage));
  const points = reports.toReversed().map(({ dateCreated: id, toxicityPercentage: value }) => {
    const date = new Date(id);
    const x = duration === 0 ? inner.width / 2 : (inner.width * (date.getTime() - first.getTime())) / duration;
    return { id, date, value, x, y: y(value) };
  });
  const formatDay = isSameDay(first, last) ? formatTime : formatDate;
  const summary = describeTrend(reports, dates);

  return (
    <figure ref={ref} className={styles.chart} style={{ height }}>
      {inner.width > 0 && (
        <svg
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          role="img"
          aria-label={`Toxicity of ${domain} over time. ${summary}`}
        >
          <g transform={`translate(${margin.left} ${margin.top})`}>
            {[0, ...scale.ends].map((at) => (
              <text key={at} className={styles.label} x={-8} y={y(at)} dy={4} textAnchor="end">
                {at}%
              </text>
            ))}
            {scale.breakAt !== null && (
              <path className={styles.break} d={toZigzag(inner.width, inner.height * (1 - scale.breakAt))} />
            )}
            <path className={styles.axis} d={`M0 ${inner.height}H${inner.width}`} />
            <text className={styles.label} y={inner.height + 20}>
              {formatDay(first)}
            </text>
            {duration > 0 && (
              <text className={styles.label} x={inner.width} y={inner.height + 20} textAnchor="end">
                {formatDay(last)}
              </text>
            )}
            {thresholds.map((at) => (
              <g key={at}>
                <line className={styles.threshold} x1={0} x2={inner.width} y1={y(at)} y2={y(at)} />
                <text className={styles.label} x={inner.width + 6} y={y(at)} dy={4}>
                  {at}%
                </text>
              </g>
            ))}
            <path className={styles.line} d={toPath(points)} />
            {points.map((point) => (
              <circle
                key={point.id}
                className={`${styles.point} ${toxicity.tone}`}
                data-tone={getTone(point.value)}
                cx={point.x}
                cy={point.y}
                r={points.length > 40 ? 1.5 : 3.5}
              >
                <title>
                  {formatDate(point.date)}: {formatPercentage(point.value)}
                </title>
              </circle>
            ))}
          </g>
        </svg>
      )}
      <VisuallyHidden>
        <table>
          <caption>Toxicity of {domain} by report</caption>
          <thead>
            <tr>
              <th scope="col">Date</th>
              <th scope="col">Toxicity</th>
            </tr>
          </thead>
          <tbody>
            {points.map((point) => (
              <tr key={point.id}>
                <td>{formatDate(point.date)}</td>
                <td>{formatPercentage(point.value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </figure>
  );
}

/** A horizontal zigzag line: above it, the scale continues in larger steps. */
const toZigzag = (width: number, y: number) =>
  `M0 ${y}${Array.from({ length: Math.floor(width / 4) }, (_, index) => `L${(index + 1) * 4} ${y + (index % 2 ? 2 : -2)}`).join('')}`;

/** Describes the trend in a sentence for screen readers. `reports` are newest first. */
export function describeTrend(reports: readonly HistoryEntry[], { formatDate }: Dates): string {
  const day = ({ dateCreated }: HistoryEntry) => formatDate(new Date(dateCreated));
  const last = reports[0];
  const first = reports.at(-1);
  if (!first || !last) return 'There are no reports yet.';
  const end = `${formatPercentage(last.toxicityPercentage)} on ${day(last)}`;
  if (reports.length === 1) return `The only report shows ${end}.`;
  const direction = compareToxicity(last, first)?.direction;
  if (direction === 'same') return `It is ${end}, the same as on ${day(first)}, over ${reports.length} reports.`;
  const verb = direction === 'up' ? 'rose' : 'fell';
  return `It ${verb} from ${formatPercentage(first.toxicityPercentage)} on ${day(first)} to ${end}, over ${reports.length} reports.`;
}
