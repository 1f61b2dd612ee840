import type { TrendPoint } from '#shared/reports/websites.ts';
import styles from './sparkline.module.css';
import toxicity from './toxicity.module.css';
import { formatToxicity, getTone, toxicityThresholds } from './toxicity.tsx';
import { fullScale } from './toxicity-scale.ts';

const width = 112;
const height = 36;
const inset = 4;

const toY = (percentage: number) => inset + (1 - fullScale.toPosition(percentage)) * (height - 2 * inset);
const band = { top: toY(toxicityThresholds.red), bottom: toY(toxicityThresholds.orange) };

/** The toxicity of the last reports, oldest first, as a small line with a band between 5% and 10%. */
export function Sparkline({ trend }: { trend: readonly TrendPoint[] }) {
  const step = (width - 2 * inset) / Math.max(1, trend.length - 1);
  const points = trend.map(({ toxicityPercentage: value }, index) => ({
    value,
    x: trend.length === 1 ? width - inset : inset + index * step,
    y: value === null ? 0 : toY(value),
  }));
  const last = points.at(-1);
  return (
    <svg
      className={styles.sparkline}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={describeSparkline(trend)}
    >
      <rect className={styles.band} y={band.top} width={width} height={band.bottom - band.top} />
      <path className={styles.threshold} d={`M0 ${band.top}H${width}M0 ${band.bottom}H${width}`} />
      <path className={styles.line} d={toPath(points)} />
      {last && last.value !== null && (
        <circle
          className={`${styles.last} ${toxicity.tone}`}
          data-tone={getTone(last.value)}
          cx={last.x}
          cy={last.y}
          r={3.5}
        />
      )}
    </svg>
  );
}

/** A line through the points, with a gap where a report has no percentage. A lone point becomes a dot. */
export function toPath(points: readonly { value: number | null; x: number; y: number }[]): string {
  return points
    .map(({ value, x, y }, index) => {
      if (value === null) return '';
      const isStart = (points[index - 1]?.value ?? null) === null;
      return `${isStart ? `M${round(x)} ${round(y)}` : ''}L${round(x)} ${round(y)}`;
    })
    .join('');
}

const round = (value: number) => Math.round(value * 10) / 10;

/** 'Toxicity of the last 3 reports, oldest first: 12%, 8.5%, 4%.' */
export function describeSparkline(trend: readonly TrendPoint[]): string {
  const values = trend.map((point) => formatToxicity(point) + (point.toxicityPercentage === null ? ' domains' : ''));
  if (values.length === 1) return `Toxicity of the only report: ${values[0]}.`;
  return `Toxicity of the last ${values.length} reports, oldest first: ${values.join(', ')}.`;
}
