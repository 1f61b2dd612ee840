import { type RiskLevel, riskLevels } from '#shared/blacklist/domains.ts';
import { googleDisavowLimits } from '#shared/reports/disavow-files.ts';
import { loadGuard } from '../../blacklist/guard/guard.ts';
import type { Context } from '../../context.ts';
import { areRelated, canonicalName, parentNames } from '../../hostnames/coverage/coverage.ts';
import type { ProcessContext } from '../../platform/processes/run-in-process.ts';
import { countOfWebsite } from '../../platform/usage/queries.ts';
import { findKeptNames } from '../decisions/decisions.ts';
import { joinToxicDomains } from './store-domains.ts';
import { getSummary } from './summaries.ts';

const commentBytes = 1024;

interface DisavowSelection {
  riskLevels: readonly RiskLevel[];
  withLost: boolean;
}

/** Which report of which user. */
interface ReportKey {
  userId: number;
  id: number;
}

/** Listed domains of a report, and decisions about its website, that are read within some milliseconds. */
const maxShortNames = 2000;

/**
 * Returns the toxic domains of a report as a file for Google's disavow tool, whether or not the user has decided about
 * them, but without those that the user keeps or that the guard now protects. It runs in a process of its own if it
 * takes so long that other requests would notice.
 * @throws 404 if it is not the user's report
 */
export async function buildDisavowFile(
  { processes, readDb }: Pick<Context, 'processes' | 'readDb'>,
  { userId, id }: ReportKey,
  selection: DisavowSelection,
  signal: AbortSignal,
): Promise<{ text: string; fileName: string }> {
  const task = { userId, id, ...selection };
  const { profileId: websiteId, ...report } = await getSummary(readDb, userId, id);
  const { toxicDomains } = report.includingLost ?? report;
  const names = toxicDomains + (await countOfWebsite(readDb, websiteId, 'decisions'));
  if (names <= maxShortNames) return buildFile({ db: readDb }, task);
  const entry = { module: new URL(import.meta.url), name: 'buildFile' };
  return processes.runInTurn<typeof buildFile>({ key: `account:${userId}`, signal }, entry, task);
}

/** The work of `buildDisavowFile`. */
export async function buildFile(
  { db }: Pick<ProcessContext<never>, 'db'>,
  { userId, id, riskLevels, withLost }: ReportKey & DisavowSelection,
): Promise<{ text: string; fileName: string }> {
  const { domain: website, dateCreated, profileId: websiteId } = await getSummary(db, userId, id);
  const listed = await joinToxicDomains(db, userId, id, { riskLevels, lost: withLost });
  // A report that was deleted meanwhile has no domains. Its file would disavow nothing.
  await getSummary(db, userId, id);
  const [guard, kept] = await Promise.all([loadGuard(db), findKeptNames(db, userId, websiteId)]);
  const own = canonicalName(website);
  const names: string[] = [];
  const counts = { ownCount: 0, keptCount: 0, protectedCount: 0 };
  for (const name of listed.split('\n')) {
    if (name === '') continue;
    if (areRelated(name, own)) counts.ownCount += 1;
    else if (kept.has(name)) counts.keptCount += 1;
    else if (guard(name)) counts.protectedCount += 1;
    else names.push(name);
  }
  const day = dateCreated.slice(0, 10);
  const text = buildDisavowText({ website, day, riskLevels, names, ...counts });
  return { text, fileName: `disavow-${website}-${day}.txt` };
}

/**
 * Builds the text of a disavow file: ASCII, comments, then one `domain:` line per name, sorted, with LF. A line covers
 * all subdomains, so a name gets no line if one of `names` is its parent. `names` must have the highest risk first, so
 * that the names beyond the limits are the least harmful.
 */
export function buildDisavowText(list: {
  website: string;
  day: string;
  /** The selected levels. */
  riskLevels: readonly RiskLevel[];
  names: readonly string[];
  /** Selected domains that are not in `names`, because they are the website itself, its parent or a subdomain. */
  ownCount: number;
  /** Selected domains that are not in `names`, because the user keeps them or a subdomain of them. */
  keptCount: number;
  /** Selected domains that are not in `names`, because the guard protects them. */
  protectedCount: number;
}): string {
  const covering = findCoveringNames(list.names);
  const lines: string[] = [];
  const levels = riskLevels.filter((level) => list.riskLevels.includes(level)).toReversed();
  const selection = levels.length < riskLevels.length ? [`# Risk levels: ${levels.join(', ')}`] : [];
  const exceptions = [
    ...(list.ownCount > 0
      ? ['# This file leaves out your own website, with the domain that it belongs to and its subdomains.']
      : []),
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
    `# Domains with harmful backlinks to ${list.website}`,
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
function findCoveringNames(names: readonly string[]): Set<string> {
  const all = new Set(names);
  const covering = new Set<string>();
  for (const name of names) covering.add(parentNames(name).findLast((parent) => all.has(parent)) ?? name);
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
