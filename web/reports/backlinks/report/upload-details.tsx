import { Text } from '@mantine/core';
import type { DetectedFormat, ReportSummary, SkippedRows } from '#shared/reports/reports.ts';
import { formatCount, plural } from '../../../platform/format.ts';
import { Hint, Strong } from '../../../ui/typography.ts';
import styles from './upload-details.module.css';

type Upload = Pick<ReportSummary, 'formats' | 'ignoredTables' | 'skipped'>;

/** How each table of the upload was read, the rows that were skipped, and the tables that were not read. */
export function UploadDetails({ report: { formats, ignoredTables, skipped } }: { report: Upload }) {
  const isOneTable = formats.length === 1;
  const title = isOneTable ? 'How your file was read' : 'How your files were read';
  return (
    <section className={styles.panel} aria-label={title}>
      <h3>{title}</h3>
      {formats.map((format) => (
        <div key={format.file} className={styles.table}>
          <dl className={styles.facts}>
            {getFacts(format, isOneTable).map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          {format.otherSite && (
            <Text size="sm">The first links in this file point to {format.otherSite}, not to your website.</Text>
          )}
          {(isOneTable || format.skipped.length > 0) && <SkippedList skipped={format.skipped} />}
        </div>
      ))}
      {!isOneTable && skipped.length === 0 && <Hint>{formatSkippedTotal(skipped)}.</Hint>}
      {ignoredTables.length > 0 && (
        <>
          <Strong>Not read:</Strong>
          <ul className={styles.list}>
            {ignoredTables.map(({ file, reason }) => (
              <li key={file}>
                {file}: {reason}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function getFacts(format: DetectedFormat, isOneTable: boolean): [name: string, value: string][] {
  const { file, tool, report, column, delimiter, encoding, backlinks, duplicates } = format;
  return [
    ['File', file],
    ['Tool', tool],
    ['Report', report],
    ['Column used', column],
    ['Delimiter', delimiter],
    ['Encoding', encoding],
    ...(isOneTable ? [] : [['Backlinks', formatBacklinks(backlinks, duplicates)] satisfies [string, string]]),
  ];
}

/** '1,200', or '1,200, and 30 that are in another file' */
export function formatBacklinks(backlinks: number, duplicates: number): string {
  if (duplicates === 0) return formatCount(backlinks);
  return `${formatCount(backlinks)}, and ${formatCount(duplicates)} that ${duplicates === 1 ? 'is' : 'are'} in another file`;
}

function SkippedList({ skipped }: { skipped: readonly SkippedRows[] }) {
  if (skipped.length === 0) {
    return <Hint>{formatSkippedTotal(skipped)}.</Hint>;
  }
  return (
    <>
      <Strong>{formatSkippedTotal(skipped)}:</Strong>
      <ul className={styles.list}>
        {skipped.map((rows) => (
          <li key={rows.reason}>{formatSkippedRows(rows)}</li>
        ))}
      </ul>
    </>
  );
}

const reasons: Record<SkippedRows['reason'], [one: string, many: string]> = {
  empty: ['empty row', 'empty rows'],
  'IP address': ['row with an IP address instead of a domain', 'rows with an IP address instead of a domain'],
  'unknown top-level domain': [
    'row with an unknown top-level domain, such as a file name',
    'rows with an unknown top-level domain, such as file names',
  ],
  'not an address': ['row without a URL or domain', 'rows without a URL or domain'],
  'another site': ['link to another site', 'links to another site'],
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
