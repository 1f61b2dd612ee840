import type { SkippedRows } from '#shared/reports.ts';

const number = new Intl.NumberFormat('en-US');

const reasons: Record<SkippedRows['reason'], [one: string, many: string]> = {
  empty: ['empty row', 'empty rows'],
  'not a domain': ['row without a website address', 'rows without a website address'],
  'own site': ['link from your own website', 'links from your own website'],
  'malformed row': ['damaged row', 'damaged rows'],
};

/** '1,204 links from your own website (lines 3, 8, 9 and more)' */
export function skippedWords({ reason, count, lines }: SkippedRows): string {
  const [one, many] = reasons[reason];
  const what = `${number.format(count)} ${count === 1 ? one : many}`;
  return lines.length === 0 ? what : `${what} (${linesWords(lines, count)})`;
}

function linesWords(lines: readonly number[], count: number): string {
  const named = lines.map((line) => number.format(line));
  if (count > lines.length) return `lines ${named.join(', ')} and more`;
  if (named.length === 1) return `line ${named[0]}`;
  return `lines ${named.slice(0, -1).join(', ')} and ${named.at(-1)}`;
}

/** 'Nothing was skipped.', '1 row was skipped', '1,207 rows were skipped' */
export function skippedTotalWords(skipped: readonly SkippedRows[]): string {
  const total = skipped.reduce((sum, rows) => sum + rows.count, 0);
  if (total === 0) return 'No rows were skipped';
  return total === 1 ? '1 row was skipped' : `${number.format(total)} rows were skipped`;
}
