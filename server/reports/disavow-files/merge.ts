import { googleDisavowLimits } from '#shared/reports/disavow-files.ts';
import { areRelated, findCoveringNames, findParent, parentNames } from '../../hostnames/coverage/coverage.ts';
import { type Entry, type ParsedLine, toDomainEntry } from './parse.ts';

/** A user's decisions about the domains that link to a website. */
export interface DisavowDecisions {
  keep: readonly string[];
  /** Most important first: the domains beyond the limits are left out. */
  disavow: readonly string[];
  /** The domain of the website. Neither it nor a parent or subdomain is added. */
  website: string;
}

/** A line with what merging does about it. The merged file contains comments and lines of the state `valid`. */
export type MergedLine = { line: ParsedLine } & (
  | { state: 'comment' | 'invalid' | 'valid' }
  /** `reason` is a sentence. */
  | { state: 'redundant'; reason: string }
  /** `kept` is the domain to keep that the line disavows. */
  | { state: 'takenBack'; reason: string; kept: string }
);

export interface Merge {
  lines: MergedLine[];
  /** The domains that the merged file adds, sorted. */
  added: string[];
  /** The number of domains that were left out because of the limits. */
  leftOut: number;
  /** Domains to disavow that were left out, because they would cover one to keep. */
  conflicts: { domain: string; kept: string }[];
  /** Domains to disavow that were left out, because they belong to the website itself or it belongs to them. */
  own: string[];
  /** The merged file, with its size. */
  text: string;
  lineCount: number;
  bytes: number;
}

/**
 * Merges a disavow file with decisions: its valid entries and the domains to disavow, without everything that covers a
 * domain to keep. Merging the result again changes nothing.
 * @param day today, as YYYY-MM-DD
 */
export function mergeFile(
  parsed: readonly ParsedLine[],
  { keep, disavow, website }: DisavowDecisions,
  day: string,
  limits: { lines: number; bytes: number } = googleDisavowLimits,
): Merge {
  const findKept = createKeptFinder(keep);
  const domainLines = new Map<string, number>();
  const lines = parsed.map((line, index): MergedLine => {
    if (line.kind !== 'entry') return { line, state: line.kind };
    const kept = findKept(line.entry);
    if (kept !== undefined) return { line, state: 'takenBack', reason: `You decided to keep ${kept}.`, kept };
    const { kind, name } = line.entry;
    if (kind === 'domain' && !domainLines.has(name)) domainLines.set(name, index);
    return { line, state: 'valid' };
  });
  markRedundant(lines, domainLines);

  const { wanted, conflicts, own } = chooseDomains(disavow, website, findKept);
  const missing = [...findCoveringNames(wanted)].filter(
    (name) => findParent(name, (it) => domainLines.has(it)) === undefined,
  );
  const header = `# Added by Linksieve on ${day}`;
  const last = parsed.findLast(({ kind, text }) => kind === 'comment' && text.trim() !== '');
  const newHeader = last?.text.trim() === header ? [] : [header];
  const added = addWithinLimits(lines, missing, newHeader, limits).sort();

  const text = [
    ...lines.flatMap(getMergedText),
    ...(added.length > 0 ? newHeader : []),
    ...added.map((name) => `domain:${name}`),
  ];
  return {
    lines,
    added,
    leftOut: missing.length - added.length,
    conflicts,
    own,
    text: text.map((line) => `${line}\n`).join(''),
    lineCount: text.length,
    bytes: measure(text).bytes,
  };
}

/** Returns the line in the merged file; an empty list if it is left out. */
function getMergedText({ state, line }: MergedLine): string[] {
  if (state === 'comment') return [line.text.trim()];
  return state === 'valid' && line.kind === 'entry' ? [line.entry.text] : [];
}

function measure(lines: readonly string[]): { lines: number; bytes: number } {
  return { lines: lines.length, bytes: lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0) };
}

/** Returns a function that finds the domain to keep that an entry disavows. */
function createKeptFinder(keep: readonly string[]): (entry: Entry) => string | undefined {
  const kept = new Set(keep);
  /** For each name to keep and each parent, the name to keep. */
  const covered = new Map(keep.flatMap((name) => parentNames(name).map((parent) => [parent, name] as const)));
  return ({ kind, name }) => {
    if (kind === 'url') return findParent(name, (parent) => kept.has(parent));
    return kept.has(name) ? name : covered.get(name);
  };
}

/** Marks valid lines that repeat an earlier one, or that the line of a domain covers, wherever it is. */
function markRedundant(lines: MergedLine[], domainLines: ReadonlyMap<string, number>): void {
  const urlLines = new Map<string, number>();
  for (const [index, { line, state }] of lines.entries()) {
    if (line.kind !== 'entry') continue;
    const { kind, name, text } = line.entry;
    const cover = findParent(name, (it) => (domainLines.get(it) ?? index) !== index);
    const repeated = kind === 'url' ? urlLines.get(text) : undefined;
    if (cover !== undefined) {
      const at = `Line ${(domainLines.get(cover) ?? 0) + 1}`;
      const isRepeated = kind === 'domain' && cover === name;
      const reason = isRepeated ? `${at} has the same entry.` : `${at}, “domain:${cover}”, covers it.`;
      lines[index] = { line, state: 'redundant', reason };
    } else if (state === 'valid' && repeated !== undefined) {
      lines[index] = { line, state: 'redundant', reason: `Line ${repeated + 1} has the same entry.` };
    } else if (kind === 'url' && state === 'valid') {
      urlLines.set(text, index);
    }
  }
}

/** Separates the domains to disavow from those of the website, and from those that would cover a domain to keep. */
function chooseDomains(
  disavow: readonly string[],
  website: string,
  findKept: (entry: Entry) => string | undefined,
): { wanted: string[] } & Pick<Merge, 'conflicts' | 'own'> {
  const wanted: string[] = [];
  const conflicts: Merge['conflicts'] = [];
  const own: string[] = [];
  for (const domain of disavow) {
    const entry = toDomainEntry(domain);
    if (!entry) continue;
    const kept = findKept(entry);
    if (areRelated(entry.name, website)) own.push(entry.name);
    else if (kept === undefined) wanted.push(entry.name);
    else conflicts.push({ domain: entry.name, kept });
  }
  return { wanted, conflicts, own };
}

/**
 * Returns the first of the domains, as many as fit into the limits with the lines of the file, and marks the lines that
 * they cover as redundant. It stops at the first one that does not fit: if a later one could still be added, merging
 * the result again would try the same domains with more space, and add more.
 */
function addWithinLimits(
  lines: MergedLine[],
  domains: readonly string[],
  header: readonly string[],
  limits: { lines: number; bytes: number },
): string[] {
  if (domains.length === 0) return [];
  const covered = new Map(domains.map((name) => [name, [] as number[]]));
  for (const [index, { line, state }] of lines.entries()) {
    if (state !== 'valid' || line.kind !== 'entry') continue;
    const cover = findParent(line.entry.name, (name) => covered.has(name));
    if (cover !== undefined) covered.get(cover)?.push(index);
  }
  const size = measure([...lines.flatMap(getMergedText), ...header]);
  const added: string[] = [];
  for (const name of domains) {
    const replaced = covered.get(name) ?? [];
    const freed = measure(replaced.flatMap((index) => getMergedText(lines[index] as MergedLine)));
    size.lines += 1 - freed.lines;
    size.bytes += Buffer.byteLength(`domain:${name}\n`) - freed.bytes;
    if (size.lines > limits.lines || size.bytes > limits.bytes) break;
    for (const index of replaced) {
      const { line } = lines[index] as MergedLine;
      lines[index] = { line, state: 'redundant', reason: `“domain:${name}”, which the merged file adds, covers it.` };
    }
    added.push(name);
  }
  return added;
}
