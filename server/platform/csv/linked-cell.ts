import type { CsvRecord } from './csv-record.ts';

/*
 * A cell with a link behind its text is written as the formula that spreadsheets have for it:
 * =HYPERLINK("https://example.com/","text"). Its name and its separator depend on the language.
 */

const linkedCell = /^=[^("]{1,60}\(\s*("{1,2})([^"]+)\1\s*[,;]\s*\1(.*)\1\s*\)\s*$/ds;

export function formatLinkedCell(text: string, address: string): string {
  return `=HYPERLINK("${address.replaceAll('"', '%22')}","${text.replaceAll('"', '""')}")`;
}

/** Returns the text of a cell as a spreadsheet shows it: without the link behind it. */
export function toShownText(cell: string): string {
  if (!cell.startsWith('=')) return cell;
  const [, mark, , text] = linkedCell.exec(cell) ?? [];
  if (text === undefined) return cell;
  return mark === '"' ? text.replaceAll('""', '"') : text;
}

const EQUALS_SIGN = 61;

/** Limits the cells from a slot on to their texts, without the links behind them. */
export function skipLinks({ buffer, starts, ends }: CsvRecord, fromSlot: number): void {
  for (let slot = fromSlot; slot < starts.length; slot += 1) {
    const start = starts[slot] as number;
    if (start < 0 || buffer[start] !== EQUALS_SIGN) continue;
    // In Latin-1, each character is a byte.
    const range = linkedCell.exec(buffer.toString('latin1', start, ends[slot]))?.indices?.[3];
    if (range === undefined) continue;
    starts[slot] = start + range[0];
    ends[slot] = start + range[1];
  }
}
