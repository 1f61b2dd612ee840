import { type RiskLevel, riskLevels } from '#shared/domains.ts';
import { writeCsv } from '../csv/write-csv.ts';
import type { Db } from '../db/database.ts';
import { getSummary, harmfulBacklinkOf } from './reports.ts';
import { listBacklinks, listDomainNames } from './store.ts';

const header = ['Domain', 'Referring Page', 'Risk Level', 'Reason', 'Source'];
const batchRows = 5000;

/** All harmful backlinks of a report as CSV, read while they are sent. Throws 404 when the user has no such report. */
export async function exportBacklinks(db: Db, userId: number, id: number) {
  const { domain, dateCreated, harmfulBacklinks } = await getSummary(db, userId, id);
  async function* rows() {
    for (let from = 0; from < harmfulBacklinks; from += batchRows) {
      for (const row of await listBacklinks(db, userId, id, from, from + batchRows)) {
        const { domain, referringPage, riskLevel, reason, source } = harmfulBacklinkOf(row);
        yield [domain, referringPage, riskLevel, reason, source];
      }
    }
  }
  return { csv: writeCsv(header, rows()), fileName: `harmful-backlinks-${domain}-${dateCreated.slice(0, 10)}.csv` };
}

// Google Search Console Help, "Disavow links to your site": the limits include comments and blank lines.
const maxLines = 100_000;
const maxBytes = 2 * 1024 * 1024;
const commentLines = 4;
const commentBytes = 1024;

/** The harmful domains of a report as a file for Google's disavow tool. Throws 404 when the user has no such report. */
export async function buildDisavowFile(db: Db, userId: number, id: number, riskLevel?: RiskLevel) {
  const { domain: site, dateCreated } = await getSummary(db, userId, id);
  const risk = riskLevel && riskLevels.indexOf(riskLevel) + 1;
  const { names, total } = await listDomainNames(db, userId, id, risk, maxLines - commentLines);
  const day = dateCreated.slice(0, 10);
  return { text: disavowText({ site, day, names, total }), fileName: `disavow-${site}-${day}.txt` };
}

/**
 * The file's text: ASCII, one `domain:` line for each name, sorted, LF. Takes `names` with the highest risk first, so that the ones
 * beyond the limits are the least harmful. `total` includes names that are not in `names`.
 */
export function disavowText(list: { site: string; day: string; names: readonly string[]; total: number }): string {
  const lines: string[] = [];
  let bytes = commentBytes;
  for (const name of list.names) {
    const line = `domain:${name}\n`;
    bytes += line.length;
    if (bytes > maxBytes || lines.length + commentLines >= maxLines) break;
    lines.push(line);
  }
  const leftOut = list.total - lines.length;
  const comments = [
    `# Domains with harmful backlinks to ${list.site}`,
    `# Report of ${list.day}, made by Linksieve`,
    '# Uploading this file replaces the list that is in use: copy the lines of your old file over first.',
    ...(leftOut > 0 ? [`# The limits of a disavow file left out the ${leftOut} domains with the lowest risk.`] : []),
  ];
  return `${comments.join('\n')}\n${lines.sort().join('')}`;
}
