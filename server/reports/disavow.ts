import { googleDisavowLimits } from '#shared/disavow-files.ts';
import { type RiskCounts, type RiskLevel, riskLevels } from '#shared/domains.ts';
import type { ProtectedDomain } from '#shared/reports.ts';
import type { Db } from '../db/database.ts';
import { describeProtection, loadGuard } from '../guard/guard.ts';
import { findCoveringNames, normalizeHost } from '../hosts/hosts.ts';
import { getSummary, toRisks } from './reports.ts';
import { joinToxicDomains } from './store.ts';

const commentBytes = 1024;

interface DisavowSelection {
  riskLevels: readonly RiskLevel[];
  /** Names that get no line. */
  exclude: readonly string[];
  withLost: boolean;
}

/**
 * Returns the selected harmful domains of a report as a file for Google's disavow tool, without domains that the guard
 * now protects. Throws 404 if the user has no such report.
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
  const selected = listed.split('\n').filter((name) => name !== '' && !excluded.has(name));
  const guard = await loadGuard(db);
  const names = selected.filter((name) => !guard(name));
  const day = dateCreated.slice(0, 10);
  const text = buildDisavowText({ site, day, riskLevels, names, protectedCount: selected.length - names.length });
  return { text, fileName: `disavow-${site}-${day}.txt` };
}

/**
 * Builds the text of a disavow file: ASCII, comments, then one `domain:` line per name, sorted, with LF. A line covers
 * all subdomains, so a name gets no line if one of `names` is its parent. `names` must have the highest risk first, so
 * that the names beyond the limits are the least harmful.
 */
export function buildDisavowText(list: {
  site: string;
  day: string;
  /** The selected levels. */
  riskLevels: readonly RiskLevel[];
  names: readonly string[];
  /** Selected domains that are not in `names`, because the guard protects them. */
  protectedCount: number;
}): string {
  const covering = findCoveringNames(list.names);
  const lines: string[] = [];
  const levels = riskLevels.filter((level) => list.riskLevels.includes(level)).toReversed();
  const selection = levels.length < riskLevels.length ? [`# Risk levels: ${levels.join(', ')}`] : [];
  const commentLines = 4 + selection.length + (list.protectedCount > 0 ? 1 : 0);
  let bytes = commentBytes;
  for (const name of covering) {
    const line = `domain:${name}\n`;
    bytes += line.length;
    if (bytes > googleDisavowLimits.bytes || lines.length + commentLines >= googleDisavowLimits.lines) break;
    lines.push(line);
  }
  const leftOut = covering.size - lines.length;
  const omission = leftOut === 1 ? 'the domain' : `the ${leftOut.toLocaleString('en-US')} domains`;
  const comments = [
    `# Domains with harmful backlinks to ${list.site}`,
    `# Linksieve report of ${list.day}`,
    ...selection,
    '# Uploading this file replaces your current disavow list: copy the lines of your current list into this file first.',
    ...(list.protectedCount > 0 ? [`# ${protectedComment(list.protectedCount)}`] : []),
    ...(leftOut > 0
      ? [`# Disavow files have a size limit. This file leaves out ${omission} with the lowest risk.`]
      : []),
  ];
  return `${comments.join('\n')}\n${lines.sort().join('')}`;
}

const protectedComment = (count: number) =>
  count === 1
    ? 'This file leaves out 1 domain that is a well-known site, a public institution, or protected by an admin.'
    : `This file leaves out ${count.toLocaleString('en-US')} domains that are well-known sites, public institutions, or protected by an admin.`;

/** Protected domains that a response contains. The rest is only counted. */
const maxShownProtected = 100;

/**
 * Returns the harmful domains of a report that its disavow file leaves out, because the guard now protects them,
 * highest risk first. Throws 404 if the user has no such report.
 */
export async function listProtectedDomains(
  db: Db,
  userId: number,
  id: number,
  withLost: boolean,
): Promise<{ domains: ProtectedDomain[]; riskCounts: RiskCounts }> {
  await getSummary(db, userId, id);
  const guard = await loadGuard(db);
  const riskCounts = { veryHigh: 0, high: 0, medium: 0, low: 0 };
  const domains: ProtectedDomain[] = [];
  for (const [at, riskLevel] of riskLevels.entries()) {
    const names = (await joinToxicDomains(db, userId, id, { risks: [at + 1], lost: withLost })).split('\n');
    const found = names.flatMap((domain) => {
      const protection = domain === '' ? undefined : guard(domain);
      return protection ? [{ domain, riskLevel, reason: describeProtection(protection) }] : [];
    });
    riskCounts[riskCountNames[riskLevel]] = found.length;
    domains.unshift(...found.slice(0, maxShownProtected));
  }
  return { domains: domains.slice(0, maxShownProtected), riskCounts };
}

const riskCountNames = { 'very high': 'veryHigh', high: 'high', medium: 'medium', low: 'low' } as const;
