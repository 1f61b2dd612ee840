const pairs: ReadonlySet<string> = new Set(['""', "''", '“”', '„“', '‘’']);

/** A text without white space and pairs of quotation marks around it, however many. */
export function withoutQuotes(text: string): string {
  let inner = text.trim();
  while (inner.length > 1 && pairs.has(inner.charAt(0) + inner.charAt(inner.length - 1))) {
    inner = inner.slice(1, -1).trim();
  }
  return inner;
}
