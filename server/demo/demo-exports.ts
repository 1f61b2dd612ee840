import { csvRow } from '../csv/write-csv.ts';
import { type Chance, madeUpAnchor, madeUpPath } from './made-up.ts';

/** A backlink export with the columns of Semrush: `rows` links to a site, a share of them from listed domains. */
export function demoExport(
  site: string,
  from: { clean: readonly string[]; listed: readonly string[] },
  { rows, listedShare }: { rows: number; listedShare: number },
  made: Chance,
): string {
  const lines = [
    csvRow([
      'Page ascore',
      'Source title',
      'Source url',
      'Target url',
      'Anchor',
      'External links',
      'Nofollow',
      'First seen',
    ]),
  ];
  for (let i = 0; i < rows; i++) {
    const host = made.pick(made.next() < listedShare ? from.listed : from.clean, 1.2);
    const anchor = madeUpAnchor(made);
    lines.push(
      csvRow([
        Math.floor(made.next() * 100),
        `All about ${anchor}`,
        `https://${made.next() < 0.4 ? 'www.' : ''}${host}${madeUpPath(made)}`,
        `https://${site}${madeUpPath(made)}`,
        anchor,
        Math.floor(made.next() * 200),
        made.next() < 0.3,
        '2025-11-02 08:15:00',
      ]),
    );
  }
  return lines.join('');
}
