import type { Verdict } from './verdict.ts';

const header = ['DOMAIN', 'VERDICT', 'RISK', 'SOURCES', 'LISTED AS', 'SINCE', 'NICHE'];

/** The verdicts for a person's eyes, line by line, each column as wide as its longest cell. */
export function* verdictTable(verdicts: readonly Verdict[]): Generator<string> {
  if (verdicts.length === 0) return;
  const widths = header.map((name) => name.length);
  for (const verdict of verdicts) {
    for (const [column, cell] of cellsOf(verdict).entries()) {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    }
  }
  const line = (cells: readonly string[]) =>
    `${cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()}\n`;
  yield line(header);
  for (const verdict of verdicts) yield line(cellsOf(verdict));
}

function cellsOf(verdict: Verdict): string[] {
  if (verdict.error !== null) return [verdict.domain, verdict.error];
  if (!verdict.listed) return [verdict.domain, 'clean'];
  const { domain, matchedDomain, riskLevel, sourceCount, dateAdded, niche } = verdict;
  const cells = [domain, 'listed', riskLevel, sourceCount, matchedDomain, dateAdded?.slice(0, 10), niche];
  return cells.map((cell) => String(cell ?? ''));
}
