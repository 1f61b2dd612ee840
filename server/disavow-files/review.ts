import {
  type DisavowCounts,
  type DisavowLine,
  type DisavowLineStatus,
  type InvalidDisavowLine,
  maxShownInvalidLines,
  maxShownLineLength,
} from '#shared/disavow-files.ts';
import type { Db } from '../db/database.ts';
import { findListedNames } from '../domains/domains.ts';
import { describeProtection, type Guard, loadGuard } from '../guard/guard.ts';
import { findCoveringName, parentNames } from '../hosts/hosts.ts';
import { type Merge, type MergedLine, mergeFile } from './merge.ts';
import type { ParsedLine } from './parse.ts';
import { listDecisions } from './store.ts';
import { describeProblems } from './warnings.ts';

/** A disavow file, compared with the decisions, the blacklist and the protected sites of now. */
export interface Review {
  merge: Merge;
  lines: ReviewedLine[];
  counts: DisavowCounts;
  warnings: string[];
}

type ReviewedLine = Pick<DisavowLine, 'status' | 'reason'> & { line: ParsedLine };

/**
 * Compares a file with the decisions about a website. The number of queries does not depend on the number of lines.
 * @param bytes the size of the uploaded file
 */
export async function reviewFile(
  db: Db,
  { userId, profileId }: { userId: number; profileId: number },
  { lines: parsed, bytes }: { lines: readonly ParsedLine[]; bytes: number },
  now: Date,
): Promise<Review> {
  const merge = mergeFile(parsed, await readDecisions(db, userId, profileId), now.toISOString().slice(0, 10));
  const hosts = [...new Set(merge.lines.flatMap(({ state, line }) => (state === 'valid' ? getName(line) : [])))];
  const [listed, guard] = await Promise.all([
    findListedNames(db, [...new Set(hosts.flatMap(parentNames))].join('\n')),
    loadGuard(db, [...hosts, ...merge.added]),
  ]);
  const lines = merge.lines.map((line) => classify(line, listed, guard));
  const warnings = describeProblems(merge, { lines: parsed.length, bytes }, guard);
  return { merge, lines, counts: countLines(lines, merge.added.length), warnings };
}

async function readDecisions(db: Db, userId: number, profileId: number) {
  const rows = await listDecisions(db, userId, profileId);
  const select = (wanted: string) => rows.flatMap(({ domain, decision }) => (decision === wanted ? domain : []));
  return { keep: select('keep'), disavow: select('disavow') };
}

const getName = (line: ParsedLine): string[] => (line.kind === 'entry' ? [line.entry.name] : []);

function classify(merged: MergedLine, listed: ReadonlyMap<string, number>, guard: Guard): ReviewedLine {
  const { line, state } = merged;
  if ('reason' in merged) return { line, status: merged.state, reason: merged.reason };
  if (line.kind === 'invalid') return { line, status: 'invalid', reason: line.reason };
  if (state !== 'valid' || line.kind !== 'entry') return { line, status: 'comment', reason: null };
  const { name } = line.entry;
  const protection = guard(name);
  if (protection) return { line, status: 'allowed', reason: describeProtection(protection) };
  return { line, status: findCoveringName(name, listed) === undefined ? 'noLongerListed' : 'kept', reason: null };
}

function countLines(lines: readonly ReviewedLine[], added: number): DisavowCounts {
  const counts = { comment: 0, invalid: 0, redundant: 0, takenBack: 0, allowed: 0, noLongerListed: 0, kept: 0 };
  for (const { status } of lines) counts[status] += 1;
  const { comment, invalid, ...others } = counts;
  return { lines: lines.length, comments: comment, invalidCount: invalid, ...others, added };
}

/** Returns the first invalid lines. */
export function listInvalidLines({ lines }: Review): InvalidDisavowLine[] {
  const invalid: InvalidDisavowLine[] = [];
  for (const [index, { line }] of lines.entries()) {
    if (invalid.length === maxShownInvalidLines) break;
    if (line.kind !== 'invalid') continue;
    invalid.push({ line: index + 1, text: shorten(line.text), reason: line.reason, fix: line.fix });
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
  status?: DisavowLineStatus | undefined;
  /** Part of a line, ignoring case, or of its domain. */
  search?: string | undefined;
}

/** Returns a page of the lines that match a filter, in the order of the file, and the number of all that match. */
export function selectLines(
  { lines }: Review,
  { status, search }: LineFilter,
  { page, pageSize }: { page: number; pageSize: number },
): { lines: DisavowLine[]; total: number } {
  const wanted = search?.toLowerCase() ?? '';
  const found = [...lines.entries()].filter(
    ([, one]) =>
      (status === undefined || one.status === status) &&
      (one.line.text.toLowerCase().includes(wanted) || getName(one.line).some((name) => name.includes(wanted))),
  );
  const shown = found.slice(page * pageSize, (page + 1) * pageSize);
  return {
    lines: shown.map(([index, { line, status, reason }]) => ({
      line: index + 1,
      text: shorten(line.text),
      status,
      domain: line.kind === 'entry' ? line.entry.name : null,
      reason,
      fix: line.kind === 'invalid' ? line.fix : null,
    })),
    total: found.length,
  };
}

const shorten = (text: string) =>
  text.length > maxShownLineLength ? `${text.slice(0, maxShownLineLength - 1)}…` : text;
