import type { Decision } from '#shared/reports/decisions.ts';
import {
  changedLineStatuses,
  type DisavowCounts,
  type DisavowLine,
  type DisavowLineStatus,
  type InvalidDisavowLine,
  maxShownInvalidLines,
  maxShownLineLength,
} from '#shared/reports/disavow-files.ts';
import { findListedNames } from '../../blacklist/domains/domains.ts';
import { describeProtection, type Guard, loadGuard } from '../../blacklist/guard/guard.ts';
import { canonicalName, findCoveringName, parentNames } from '../../hostnames/coverage/coverage.ts';
import { normalizeHost } from '../../hostnames/hosts/hosts.ts';
import type { Db } from '../../platform/db/database.ts';
import { type Merge, type MergedLine, mergeFile } from './merge.ts';
import { type ParsedLine, parseLines } from './parse.ts';
import type { DecisionRow } from './store.ts';
import { describeOwn, describeOwnSite, describeProblems, isOwn } from './warnings.ts';

/** A disavow file, compared with the decisions, the blacklist and the protected sites of now. */
export interface Review {
  merge: Merge;
  lines: ReviewedLine[];
  counts: DisavowCounts;
  /** Those about the website itself first. */
  warnings: string[];
  severeWarnings: number;
  /** The decisions that the file was compared with, by domain. */
  decisions: ReadonlyMap<string, Decision>;
}

type ReviewedLine = Pick<DisavowLine, 'status' | 'reason' | 'keptDomain' | 'fix'> & { line: ParsedLine };

/**
 * Compares a file with the decisions about a website. The number of queries does not depend on the number of lines.
 * @param bytes the size of the uploaded file
 * @param website its domain
 * @param decisions most important first
 * @param day today, as YYYY-MM-DD
 */
export async function reviewFile(
  db: Db,
  { lines: parsed, bytes, ...given }: { lines: readonly ParsedLine[]; bytes: number; website: string },
  decisions: readonly DecisionRow[],
  day: string,
): Promise<Review> {
  const website = canonicalName(given.website);
  const select = (wanted: Decision) => decisions.flatMap(({ domain, decision }) => (decision === wanted ? domain : []));
  const merge = mergeFile(parsed, { keep: select('keep'), disavow: select('disavow'), website }, day);
  const hosts = [...new Set(merge.lines.flatMap(({ state, line }) => (state === 'valid' ? getName(line) : [])))];
  const [listed, guard] = await Promise.all([
    findListedNames(db, [...new Set(hosts.flatMap(parentNames))].join('\n')),
    loadGuard(db, [...hosts, ...merge.added]),
  ]);
  const lines = merge.lines.map((line) => describeLine(classify(line, listed, guard), website));
  const severe = describeOwnSite(merge, website);
  const warnings = describeProblems(merge, { lines: parsed.length, bytes }, guard);
  return {
    merge,
    lines,
    counts: countLines(lines, merge.added.length),
    warnings: [...severe, ...warnings],
    severeWarnings: severe.length,
    decisions: new Map(decisions.map(({ domain, decision }) => [domain, decision])),
  };
}

const getName = (line: ParsedLine): string[] => (line.kind === 'entry' ? [line.entry.name] : []);

/** Adds what is to be said about a line whatever its status is. No fix disavows the website itself. */
function describeLine(reviewed: Omit<ReviewedLine, 'fix'>, website: string): ReviewedLine {
  const { line, reason } = reviewed;
  if (line.kind === 'comment') return { ...reviewed, fix: null };
  if (line.kind === 'invalid') {
    const [fixed] = line.fix === null ? [] : parseLines(line.fix);
    if (fixed?.kind !== 'entry' || !isOwn(fixed.entry, website)) return { ...reviewed, fix: line.fix };
    return { ...reviewed, reason: `${line.reason} It is ${describeOwn(fixed.entry, website)}: remove it.`, fix: null };
  }
  if (isOwn(line.entry, website)) {
    return {
      ...reviewed,
      reason: reason ?? `This disavows ${describeOwn(line.entry, website)}. Remove the line.`,
      fix: null,
    };
  }
  const { hint } = line;
  return reason === null && hint ? { ...reviewed, ...hint } : { ...reviewed, fix: null };
}

function classify(merged: MergedLine, listed: ReadonlyMap<string, number>, guard: Guard): Omit<ReviewedLine, 'fix'> {
  const { line, state } = merged;
  const keptDomain = null;
  if (merged.state === 'takenBack')
    return { line, status: merged.state, reason: merged.reason, keptDomain: merged.kept };
  if (merged.state === 'redundant') return { line, status: merged.state, reason: merged.reason, keptDomain };
  if (line.kind === 'invalid') return { line, status: 'invalid', reason: line.reason, keptDomain };
  if (state !== 'valid' || line.kind !== 'entry') return { line, status: 'comment', reason: null, keptDomain };
  const { name } = line.entry;
  const protection = guard(name);
  if (protection) return { line, status: 'allowed', reason: describeProtection(protection), keptDomain };
  const isListed = findCoveringName(name, listed) !== undefined;
  return { line, status: isListed ? 'kept' : 'noLongerListed', reason: null, keptDomain };
}

function countLines(lines: readonly ReviewedLine[], added: number): DisavowCounts {
  const counts = { comment: 0, invalid: 0, redundant: 0, takenBack: 0, allowed: 0, noLongerListed: 0, kept: 0, added };
  for (const { status } of lines) counts[status] += 1;
  const { comment, invalid, ...others } = counts;
  return { lines: lines.length, comments: comment, invalidCount: invalid, ...others };
}

/** Returns the first invalid lines. */
export function listInvalidLines({ lines }: Review): InvalidDisavowLine[] {
  const invalid: InvalidDisavowLine[] = [];
  for (const [index, { line, reason, fix }] of lines.entries()) {
    if (invalid.length === maxShownInvalidLines) break;
    if (line.kind !== 'invalid') continue;
    invalid.push({ line: index + 1, text: shorten(line.text), reason: reason ?? line.reason, fix });
  }
  return invalid;
}

/** Returns the domains of the lines that are taken back, and these lines in Google's form, both without repetitions. */
export function listTakenBack({ lines }: Review): { domains: string[]; entries: string[] } {
  const taken = lines.flatMap(({ line, status }) =>
    status === 'takenBack' && line.kind === 'entry' ? [line.entry] : [],
  );
  return {
    domains: [...new Set(taken.map(({ name }) => name))],
    entries: [...new Set(taken.map(({ text }) => text))],
  };
}

interface LineFilter {
  status?: DisavowLineStatus | 'changed' | undefined;
  /** Part of a line, ignoring case, or of its domain. */
  search?: string | undefined;
}

/** Returns a page of the lines that match a filter, in the order of the file, and the number of all that match. */
export function selectLines(
  { lines: ofFile, merge, decisions }: Review,
  { status, search }: LineFilter,
  { page, pageSize }: { page: number; pageSize: number },
): { lines: DisavowLine[]; total: number } {
  const wanted = search?.toLowerCase() ?? '';
  const isWanted = (own: DisavowLineStatus) =>
    status === 'changed' ? changedLineStatuses.includes(own) : status === undefined || own === status;
  const lines = status === 'added' || status === 'changed' ? [...ofFile, ...listAdded(merge)] : ofFile;
  const found = [...lines.entries()].filter(
    ([, one]) =>
      isWanted(one.status) &&
      (one.line.text.toLowerCase().includes(wanted) || getName(one.line).some((name) => name.includes(wanted))),
  );
  const shown = found.slice(page * pageSize, (page + 1) * pageSize);
  return {
    lines: shown.map(([index, { line, status, reason, keptDomain, fix }]) => {
      // Nobody can decide about an IP address.
      const domain = (line.kind === 'entry' && normalizeHost(line.entry.name)) || null;
      return {
        line: index + 1,
        text: shorten(line.text),
        status,
        domain,
        decision: (domain !== null && decisions.get(domain)) || null,
        keptDomain,
        reason,
        fix,
      };
    }),
    total: found.length,
  };
}

/** The lines that the merged file adds. */
const listAdded = ({ added }: Merge): ReviewedLine[] =>
  parseLines(added.map((name) => `domain:${name}`).join('\n')).map((line) => ({
    line,
    status: 'added',
    reason: null,
    keptDomain: null,
    fix: null,
  }));

const shorten = (text: string) =>
  text.length > maxShownLineLength ? `${text.slice(0, maxShownLineLength - 1)}…` : text;
