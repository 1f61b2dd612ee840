import { Text } from '@mantine/core';
import type { ReportSummary } from '#shared/reports.ts';
import styles from './recognised.module.css';
import { skippedTotalWords, skippedWords } from './skipped-words.ts';

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
