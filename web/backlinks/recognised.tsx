import { Text } from '@mantine/core';
import type { ReportSummary, SkippedRows } from '#shared/reports.ts';
import { formatCount, plural } from '../lib/format.ts';
import styles from './recognised.module.css';

/** How the uploaded file was read and what was left out of it, in plain words. */
export function Recognised({ report }: { report: Pick<ReportSummary, 'format' | 'skipped' | 'fileName'> }) {
  const { format, skipped, fileName } = report;
  const facts = [
    ['File', fileName],
    ['Tool', format.tool],
    ['Report', format.report],
    ['Addresses from', format.column],
    ['Separator', format.delimiter],
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
        {skippedTotalWords(skipped)}
        {skipped.length > 0 ? ':' : '.'}
      </Text>
      {skipped.length > 0 && (
        <ul className={styles.skipped}>
          {skipped.map((rows) => (
            <li key={rows.reason}>{skippedWords(rows)}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

const reasons: Record<SkippedRows['reason'], [one: string, many: string]> = {
  empty: ['empty row', 'empty rows'],
  'not a domain': ['row without a website address', 'rows without a website address'],
  'own site': ['link from your own website', 'links from your own website'],
  'malformed row': ['damaged row', 'damaged rows'],
};

/** '1,204 links from your own website (lines 3, 8, 9 and more)' */
export function skippedWords({ reason, count, lines }: SkippedRows): string {
  const [one, many] = reasons[reason];
  const what = plural(count, one, many);
  return lines.length === 0 ? what : `${what} (${linesWords(lines, count)})`;
}

function linesWords(lines: readonly number[], count: number): string {
  const named = lines.map(formatCount);
  if (count > lines.length) return `lines ${named.join(', ')} and more`;
  if (named.length === 1) return `line ${named[0]}`;
  return `lines ${named.slice(0, -1).join(', ')} and ${named.at(-1)}`;
}

/** 'No rows were skipped', '1 row was skipped', '1,207 rows were skipped' */
export function skippedTotalWords(skipped: readonly SkippedRows[]): string {
  const total = skipped.reduce((sum, rows) => sum + rows.count, 0);
  if (total === 0) return 'No rows were skipped';
  return total === 1 ? '1 row was skipped' : `${formatCount(total)} rows were skipped`;
}
