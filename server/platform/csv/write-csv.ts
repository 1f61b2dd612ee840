const formulaStart = /^'*[\s\0]*[=+\-@\t\r＝＋－＠]/;
const needsQuotes = /[",\r\n]|^\s|\s$/;

/**
 * Prefixes a text with ' if a spreadsheet would run it as a formula (OWASP, "CSV Injection"), even after white space or
 * NUL, which spreadsheets skip. A text that already has such a prefix gets another one, so that `restoreCell` restores
 * every text.
 */
export function neutralizeCell(text: string): string {
  return formulaStart.test(text) ? `'${text}` : text;
}

/** Undoes `neutralizeCell`: removes the ' that it puts before a formula. */
export function restoreCell(text: string): string {
  return text.startsWith("'") && formulaStart.test(text.slice(1)) ? text.slice(1) : text;
}

/**
 * Returns a cell as written to the file: neutralized, and quoted where RFC 4180 requires it. Null and undefined become
 * empty.
 */
export function csvCell(value: string | number | boolean | Date | null | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = neutralizeCell(value instanceof Date ? value.toISOString() : value);
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export type CsvValue = Parameters<typeof csvCell>[0];

/** Returns one line with its CRLF. A single empty cell is written as "" so that the line is not blank. */
export function csvRow(values: readonly CsvValue[]): string {
  const line = values.map(csvCell).join(',');
  return line === '' && values.length === 1 ? '""\r\n' : `${line}\r\n`;
}

/** Yields the text of a CSV file in chunks of about 64 kB: the header, then the rows. */
export async function* writeCsv(
  header: readonly string[],
  rows: AsyncIterable<readonly CsvValue[]> | Iterable<readonly CsvValue[]>,
): AsyncGenerator<string> {
  let text = csvRow(header);
  for await (const row of rows) {
    text += csvRow(row);
    if (text.length < 65_536) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}
