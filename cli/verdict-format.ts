import * as z from 'zod/mini';
import { type CsvRecord, cellText } from '#server/csv/csv-record.ts';
import { NO_DELIMITER } from '#server/csv/scanner.ts';
import { csvRow, restoreCell } from '#server/csv/write-csv.ts';
import { Verdict } from './verdict.ts';

/** How verdicts stand in a file: one a line, so that a file that was cut off anywhere is whole up to its last line end. */
export interface VerdictFormat {
  /** What the file begins with. */
  opening: string;
  /** @param isFirst whether no verdict stands before it */
  line(verdict: Verdict, isFirst: boolean): string;
  /** What ends a file that nothing will be added to for now. */
  closing: string;
  /** Whether a text without a line end, the last of a file, can be what a run was cut off from writing. */
  isUnfinished(text: string): boolean;
  /** How a line is cut into cells, and those cells into a verdict; undefined when it is none. */
  delimiter: number;
  read(record: CsvRecord): Verdict | undefined;
}

const columns = {
  domain: 'domain',
  listed: 'listed',
  matched_domain: 'matchedDomain',
  risk_level: 'riskLevel',
  source_count: 'sourceCount',
  niche: 'niche',
  date_added: 'dateAdded',
  last_updated: 'lastUpdated',
  checked_at: 'checkedAt',
  error: 'error',
} as const satisfies Record<string, keyof Verdict>;
const keys = Object.values(columns);

export const csvFormat: VerdictFormat = {
  opening: csvRow(Object.keys(columns)),
  line: (verdict) => csvRow(keys.map((key) => verdict[key])),
  closing: '',
  isUnfinished: () => true,
  delimiter: ','.charCodeAt(0),
  read(record) {
    if (record.count !== keys.length) return undefined;
    const cells = keys.map((key, slot) => [key, cellValue(key, restoreCell(cellText(record, slot) ?? ''))]);
    return verdictFrom(Object.fromEntries(cells));
  },
};

/** An array whose lines each hold one verdict and the comma before it. */
export const jsonFormat: VerdictFormat = {
  opening: '[\n',
  line: (verdict, isFirst) => `${isFirst ? ' ' : ','}${JSON.stringify(verdict)}\n`,
  closing: ']\n',
  // What ends an array within a line is not ours.
  isUnfinished: (text) => text === ']' || (/^([ ,](\{.*)?)?$/.test(text) && !text.endsWith(']')),
  delimiter: NO_DELIMITER,
  read(record) {
    try {
      return verdictFrom(JSON.parse((cellText(record, 0) ?? '').replace(/^[ ,]/, '')));
    } catch {
      return undefined;
    }
  },
};

function cellValue(key: keyof Verdict, cell: string): string | number | boolean | null {
  if (cell === '') return null;
  if (key === 'listed') return cell === 'true';
  return key === 'sourceCount' ? Number(cell) : cell;
}

function verdictFrom(value: unknown): Verdict | undefined {
  const parsed = z.safeParse(Verdict, value);
  return parsed.success ? parsed.data : undefined;
}
