import { VisuallyHidden } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { AxisBottom } from '@visx/axis';
import { Group } from '@visx/group';
import { scaleTime } from '@visx/scale';
import { LinePath } from '@visx/shape';
import type { HistoryEntry } from '#shared/reports/report-shares.ts';
import { formatDate, formatTime, isSameDay } from '../../ui/date-text.tsx';
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
  const points = reports
    .map((report) => ({ id: report.dateCreated, date: new Date(report.dateCreated), value: report.toxicityPercentage }))
    .toReversed();
  const first = points[0]?.date ?? new Date(0);
  const last = points.at(-1)?.date ?? first;
  const inner = { width: Math.max(0, width - margin.left - margin.right), height: height - margin.top - margin.bottom };
  const scale = createToxicityScale(Math.max(0, ...points.map((point) => point.value)));
  const x = scaleTime({ domain: [first, last], range: [0, inner.width] });
  const y = (percentage: number) => inner.height * (1 - scale.toPosition(percentage));
  const summary = describeTrend(reports);

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
          <Group left={margin.left} top={margin.top}>
            {[0, ...scale.ends].map((at) => (
              <text key={at} className={styles.label} x={-8} y={y(at)} dy={4} textAnchor="end">
                {at}%
              </text>
            ))}
            {scale.breakAt !== null && (
              <path className={styles.break} d={toZigzag(inner.width, inner.height * (1 - scale.breakAt))} />
            )}
            <AxisBottom
              scale={x}
              top={inner.height}
              tickValues={first.getTime() === last.getTime() ? [first] : [first, last]}
              tickFormat={(value) => (isSameDay(first, last) ? formatTime : formatDate)(value as Date)}
              hideTicks
              axisLineClassName={styles.axis}
              tickLabelProps={(_value, index) => ({
                className: styles.label,
                textAnchor: index === 0 ? 'start' : 'end',
                dy: 2,
              })}
            />
            {thresholds.map((at) => (
              <g key={at}>
                <line className={styles.threshold} x1={0} x2={inner.width} y1={y(at)} y2={y(at)} />
                <text className={styles.label} x={inner.width + 6} y={y(at)} dy={4}>
                  {at}%
                </text>
              </g>
            ))}
            <LinePath
              className={styles.line}
              data={points}
              x={(point) => x(point.date)}
              y={(point) => y(point.value)}
            />
            {points.map((point) => (
              <circle
                key={point.id}
                className={`${styles.point} ${toxicity.tone}`}
                data-tone={getTone(point.value)}
                cx={x(point.date)}
                cy={y(point.value)}
                r={points.length > 40 ? 1.5 : 3.5}
              >
                <title>
                  {formatDate(point.date)}: {formatPercentage(point.value)}
                </title>
              </circle>
            ))}
          </Group>
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
export function describeTrend(reports: readonly HistoryEntry[]): string {
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

const day = (report: HistoryEntry) => formatDate(new Date(report.dateCreated));
