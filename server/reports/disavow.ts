import { googleDisavowLimits } from '#shared/disavow-files.ts';
import { type RiskCounts, type RiskLevel, riskLevels } from '#shared/domains.ts';
import type { ProtectedDomain } from '#shared/reports.ts';
import { parentNames } from '../coverage/coverage.ts';
import type { Db } from '../db/database.ts';
import { findKeptNames } from '../decisions/decisions.ts';
import { describeProtection, loadGuard } from '../guard/guard.ts';
import { normalizeHost } from '../hosts/hosts.ts';
import { slices } from '../jobs/slices.ts';
import { joinToxicDomains } from './store-domains.ts';
import { getSummary, toRisks } from './summaries.ts';

const commentBytes = 1024;

interface DisavowSelection {
  riskLevels: readonly RiskLevel[];
  /** Names that get no line. */
  exclude: readonly string[];
  withLost: boolean;
}

/**
 * Returns the selected harmful domains of a report as a file for Google's disavow tool, without domains that the user
 * keeps or that the guard now protects. Throws 404 if the user has no such report.
 */
export async function buildDisavowFile(
  db: Db,
  userId: number,
  id: number,
  { riskLevels, exclude, withLost }: DisavowSelection,
): Promise<{ text: string; fileName: string }> {
  const { domain: site, dateCreated, profileId } = await getSummary(db, userId, id);
  const listed = await joinToxicDomains(db, userId, id, { risks: toRisks(riskLevels), lost: withLost });
  // A report that was deleted meanwhile has no domains. Its file would disavow nothing.
  await getSummary(db, userId, id);
  const excluded = new Set(exclude.map((name) => normalizeHost(name) ?? name));
  const selected = listed.split('\n').filter((name) => name !== '' && !excluded.has(name));
  const [guard, kept] = await Promise.all([loadGuard(db), findKeptNames(db, userId, profileId)]);
  const names: string[] = [];
  const counts = { keptCount: 0, protectedCount: 0 };
  for await (const slice of slices(selected)) {
    for (const name of slice) {
      if (kept.has(name)) counts.keptCount += 1;
      else if (guard(name)) counts.protectedCount += 1;
      else names.push(name);
    }
  }
  const day = dateCreated.slice(0, 10);
  const text = await buildDisavowText({ site, day, riskLevels, names, ...counts });
  return { text, fileName: `disavow-${site}-${day}.txt` };
}

/**
 * Builds the text of a disavow file: ASCII, comments, then one `domain:` line per name, sorted, with LF. A line covers
 * all subdomains, so a name gets no line if one of `names` is its parent. `names` must have the highest risk first, so
 * that the names beyond the limits are the least harmful.
 */
export async function buildDisavowText(list: {
  site: string;
  day: string;
  /** The selected levels. */
  riskLevels: readonly RiskLevel[];
  names: readonly string[];
  /** Selected domains that are not in `names`, because the user keeps them or a subdomain of them. */
  keptCount: number;
  /** Selected domains that are not in `names`, because the guard protects them. */
  protectedCount: number;
}): Promise<string> {
  const covering = await findCoveringNames(list.names);
  const lines: string[] = [];
  const levels = riskLevels.filter((level) => list.riskLevels.includes(level)).toReversed();
  const selection = levels.length < riskLevels.length ? [`# Risk levels: ${levels.join(', ')}`] : [];
  const exceptions = [
    ...(list.keptCount > 0 ? [`# ${keptComment(list.keptCount)}`] : []),
    ...(list.protectedCount > 0 ? [`# ${protectedComment(list.protectedCount)}`] : []),
  ];
  const commentLines = 4 + selection.length + exceptions.length;
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
    ...exceptions,
    ...(leftOut > 0
      ? [`# Disavow files have a size limit. This file leaves out ${omission} with the lowest risk.`]
      : []),
  ];
  return `${comments.join('\n')}\n${lines.sort().join('')}`;
}

/**
 * Returns the names that together cover all names, because a name covers its subdomains. They are in the order of the
 * first name that each one covers.
 */
async function findCoveringNames(names: readonly string[]): Promise<Set<string>> {
  const all = new Set<string>();
  for await (const slice of slices(names)) for (const name of slice) all.add(name);
  const covering = new Set<string>();
  for await (const slice of slices(names)) {
    for (const name of slice) covering.add(parentNames(name).findLast((parent) => all.has(parent)) ?? name);
  }
  return covering;
}

const keptComment = (count: number) =>
  count === 1
    ? 'This file leaves out 1 domain, because you keep it or a subdomain of it.'
    : `This file leaves out ${count.toLocaleString('en-US')} domains, because you keep them or a subdomain of them.`;

const protectedComment = (count: number) =>
  count === 1
    ? 'This file leaves out 1 domain that is a well-known site, a public institution, or protected by an admin.'
    : `This file leaves out ${count.toLocaleString('en-US')} domains that are well-known sites, public institutions, or protected by an admin.`;

/** Domains that are left out and that a response contains. The rest is only counted. */
const maxShownProtected = 100;

/**
 * Returns the harmful domains of a report that its disavow file leaves out, because the user keeps them or the
 * guard now protects them, highest risk first. Throws 404 if the user has no such report.
 */
export async function listProtectedDomains(
  db: Db,
  userId: number,
  id: number,
  withLost: boolean,
): Promise<{ domains: ProtectedDomain[]; riskCounts: RiskCounts }> {
  const { profileId } = await getSummary(db, userId, id);
  const [guard, kept] = await Promise.all([loadGuard(db), findKeptNames(db, userId, profileId)]);
  const riskCounts = { veryHigh: 0, high: 0, medium: 0, low: 0 };
  const domains: ProtectedDomain[] = [];
  for (const [at, riskLevel] of riskLevels.entries()) {
    const names = (await joinToxicDomains(db, userId, id, { risks: [at + 1], lost: withLost })).split('\n');
    const found: ProtectedDomain[] = [];
    const add = (domain: string, reason: string) => {
      riskCounts[riskCountNames[riskLevel]] += 1;
      if (found.length < maxShownProtected) found.push({ domain, riskLevel, reason });
    };
    for await (const slice of slices(names)) {
      for (const domain of slice) {
        const keptName = kept.get(domain);
        if (keptName === domain) add(domain, 'You decided to keep this domain.');
        else if (keptName) add(domain, `A line for this domain would cover ${keptName}, which you keep.`);
        else {
          const protection = domain === '' ? undefined : guard(domain);
          if (protection) add(domain, describeProtection(protection));
        }
      }
    }
    domains.unshift(...found);
  }
  return { domains: domains.slice(0, maxShownProtected), riskCounts };
}

const riskCountNames = { 'very high': 'veryHigh', high: 'high', medium: 'medium', low: 'low' } as const;
