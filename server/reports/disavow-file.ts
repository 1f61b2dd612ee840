import { type RiskLevel, riskLevels } from '#shared/domains.ts';
import type { Db } from '../db/database.ts';
import { getSummary } from './reports.ts';
import { listDomainNames } from './store.ts';

// Google Search Console Help, "Disavow links to your site": the limits count comments and blank lines too.
const mostLines = 100_000;
const mostBytes = 2 * 1024 * 1024;
const commentLines = 4;
const roomForComments = 1024;

/** The harmful domains of a report as a file for Google's disavow tool. Throws 404 when the user has no such report. */
export async function buildDisavowFile(db: Db, userId: number, id: number, riskLevel?: RiskLevel) {
  const { domain: site, dateCreated } = await getSummary(db, userId, id);
  const risk = riskLevel && riskLevels.indexOf(riskLevel) + 1;
  const { names, total } = await listDomainNames(db, userId, id, risk, mostLines - commentLines);
  const day = dateCreated.slice(0, 10);
  return { text: disavowText({ site, day, names, total }), fileName: `disavow-${site}-${day}.txt` };
}

/**
 * The file's text: ASCII, one `domain:` line for each name, sorted, LF. `names` come highest risk first, so that those which
 * the limits leave out are the least harmful; `total` counts names that were not even handed over.
 */
export function disavowText(list: { site: string; day: string; names: readonly string[]; total: number }): string {
  const lines: string[] = [];
  let bytes = roomForComments;
  for (const name of list.names) {
    const line = `domain:${name}\n`;
    bytes += line.length;
    if (bytes > mostBytes || lines.length + commentLines >= mostLines) break;
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
