const special = /[\\\t\n\r]/;
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** One row of a COPY in text format (PostgreSQL, COPY, "Text Format"). Values hold no NUL, which PostgreSQL cannot store. */
export function copyLine(values: readonly (string | number | undefined)[]): string {
  let line = '';
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i];
    if (i > 0) line += '\t';
    if (value === undefined) line += '\\N';
    else if (typeof value === 'number') line += value;
    else line += special.test(value) ? value.replace(/[\\\t\n\r]/g, (letter) => escapes[letter] ?? letter) : value;
  }
  return `${line}\n`;
}
