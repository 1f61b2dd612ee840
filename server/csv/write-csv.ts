const formulaStart = /^'*[\s\0]*[=+\-@\t\r＝＋－＠]/;
const needsQuotes = /[",\r\n]|^\s|\s$/;

/**
 * Puts a ' before a text that a spreadsheet would run as a formula (OWASP, "CSV Injection"), also behind white space or NUL, which
 * spreadsheets skip. A text that has it already gets another one, so that `restoreCell` gives every text back.
 */
export function neutralizeCell(text: string): string {
  return formulaStart.test(text) ? `'${text}` : text;
}

/** The text that `neutralizeCell` made this of: without the ' that it puts before a formula. */
export function restoreCell(text: string): string {
  return text.startsWith("'") && formulaStart.test(text.slice(1)) ? text.slice(1) : text;
}

/** One cell as it stands in the file: neutralised, and quoted where RFC 4180 asks for it. Unknown values are empty. */
export function csvCell(value: string | number | boolean | Date | null | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = neutralizeCell(value instanceof Date ? value.toISOString() : value);
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export type CsvValue = Parameters<typeof csvCell>[0];

/** One line with its CRLF. A lone empty cell is written as "" so that the line is not blank. */
export function csvRow(values: readonly CsvValue[]): string {
  const line = values.map(csvCell).join(',');
  return line === '' && values.length === 1 ? '""\r\n' : `${line}\r\n`;
}

/** The whole file, UTF-8 text in pieces of about 64 kB: the header, then rows from any source. */
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
