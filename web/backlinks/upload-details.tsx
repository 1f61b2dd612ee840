import { Text } from '@mantine/core';
import type { ReportSummary, SkippedRows } from '#shared/reports.ts';
import { formatCount, plural } from '../lib/format.ts';
import styles from './upload-details.module.css';

/** The detected format of the uploaded file, and the rows that were skipped. */
export function UploadDetails({ report }: { report: Pick<ReportSummary, 'format' | 'skipped' | 'fileName'> }) {
  const { format, skipped, fileName } = report;
  const facts = [
    ['File', fileName],
    ['Tool', format.tool],
    ['Report', format.report],
    ['Column used', format.column],
    ['Delimiter', format.delimiter],
    ['Encoding', format.encoding],
  ];
  return (
    <section className={styles.panel} aria-label="How your file was read">
      <Text fw={600} size="sm" component="h3">
        How your file was read
      </Text>
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Text size="sm" mt="sm" fw={skipped.length > 0 ? 500 : undefined} c={skipped.length > 0 ? undefined : 'dimmed'}>
        {formatSkippedTotal(skipped)}
        {skipped.length > 0 ? ':' : '.'}
      </Text>
      {skipped.length > 0 && (
        <ul className={styles.skipped}>
          {skipped.map((rows) => (
            <li key={rows.reason}>{formatSkippedRows(rows)}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

const reasons: Record<SkippedRows['reason'], [one: string, many: string]> = {
  empty: ['empty row', 'empty rows'],
  'not a domain': ['row without a URL or domain', 'rows without a URL or domain'],
  'own site': ['link from your own website', 'links from your own website'],
  'malformed row': ['malformed row', 'malformed rows'],
};

/** For example '1,204 links from your own website (lines 3, 8, 9 and more)'. */
export function formatSkippedRows({ reason, count, lines }: SkippedRows): string {
  const [one, many] = reasons[reason];
  const total = plural(count, one, many);
  return lines.length === 0 ? total : `${total} (${formatLines(lines, count)})`;
}

function formatLines(lines: readonly number[], count: number): string {
  const numbers = lines.map(formatCount);
  if (count > lines.length) return `lines ${numbers.join(', ')} and more`;
  if (numbers.length === 1) return `line ${numbers[0]}`;
  return `lines ${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`;
}

/** 'No rows were skipped', '1 row was skipped' or '1,207 rows were skipped'. */
export function formatSkippedTotal(skipped: readonly SkippedRows[]): string {
  const total = skipped.reduce((sum, rows) => sum + rows.count, 0);
  if (total === 0) return 'No rows were skipped';
  return total === 1 ? '1 row was skipped' : `${formatCount(total)} rows were skipped`;
}
