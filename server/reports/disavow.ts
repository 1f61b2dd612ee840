import type { RiskLevel } from '#shared/domains.ts';
import type { Db } from '../db/database.ts';
import { lookupNames, normalizeHost } from '../hosts/hosts.ts';
import { getSummary, toRisks } from './reports.ts';
import { joinToxicDomains } from './store.ts';

// Limits from Google Search Console Help, "Disavow links to your site". They include comments and blank lines.
const maxLines = 100_000;
const maxBytes = 2_000_000;
const commentLines = 4;
const commentBytes = 1024;

interface DisavowSelection {
  riskLevels: readonly RiskLevel[];
  /** Names that get no line. */
  exclude: readonly string[];
  withLost: boolean;
}

/**
 * Returns the selected harmful domains of a report as a file for Google's disavow tool. Throws 404 if the user has no
 * such report.
 */
export async function buildDisavowFile(
  db: Db,
  userId: number,
  id: number,
  { riskLevels, exclude, withLost }: DisavowSelection,
): Promise<{ text: string; fileName: string }> {
  const { domain: site, dateCreated } = await getSummary(db, userId, id);
  const listed = await joinToxicDomains(db, userId, id, { risks: toRisks(riskLevels), lost: withLost });
  const excluded = new Set(exclude.map((name) => normalizeHost(name) ?? name));
  const names = listed.split('\n').filter((name) => name !== '' && !excluded.has(name));
  const day = dateCreated.slice(0, 10);
  return { text: buildDisavowText({ site, day, names }), fileName: `disavow-${site}-${day}.txt` };
}

/**
 * Builds the text of a disavow file: ASCII, comments, then one `domain:` line per name, sorted, with LF. A line covers
 * all subdomains, so a name gets no line if one of `names` is its parent. `names` must have the highest risk first, so
 * that the names beyond the limits are the least harmful.
 */
export function buildDisavowText(list: { site: string; day: string; names: readonly string[] }): string {
  const covering = findCoveringNames(list.names);
  const lines: string[] = [];
  let bytes = commentBytes;
  for (const name of covering) {
    const line = `domain:${name}\n`;
    bytes += line.length;
    if (bytes > maxBytes || lines.length + commentLines >= maxLines) break;
    lines.push(line);
  }
  const leftOut = covering.size - lines.length;
  const omission = leftOut === 1 ? 'the domain' : `the ${leftOut.toLocaleString('en-US')} domains`;
  const comments = [
    `# Domains with harmful backlinks to ${list.site}`,
    `# Linksieve report of ${list.day}`,
    '# Uploading this file replaces your current disavow list: copy the lines of your current list into this file first.',
    ...(leftOut > 0
      ? [`# Disavow files have a size limit. This file leaves out ${omission} with the lowest risk.`]
      : []),
  ];
  return `${comments.join('\n')}\n${lines.sort().join('')}`;
}

/** Returns the names that together cover all names, in the order of the first name that each one covers. */
function findCoveringNames(names: readonly string[]): Set<string> {
  const all = new Set(names);
  return new Set(names.map((name) => lookupNames(name).findLast((parent) => all.has(parent)) ?? name));
}
