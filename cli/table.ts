/** Formats rows as a table for a terminal. Null and undefined are empty cells. */
export function formatTable(
  header: readonly string[],
  rows: readonly (readonly (string | null | undefined)[])[],
): string {
  const table = [header, ...rows];
  const widths = header.map((_, i) => table.reduce((width, row) => Math.max(width, row[i]?.length ?? 0), 0));
  return table
    .map(
      (row) =>
        `${widths
          .map((width, i) => (row[i] ?? '').padEnd(width))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
