/** Separate hosts of a block, and cells of a host. Host names contain neither. */
const hostSeparator = ';';
const cellSeparator = ' ';
const space = 32;
const dot = 46;

/** A host that links to a website. */
export interface WatchedHost {
  host: string;
  /** Its links in the last export with the host, without lost ones: at least one. */
  backlinks: number;
  /** The report of the last export with the host, and its day: days since 1970-01-01 in UTC. */
  reportId: number;
  lastDay: number;
  /** The same of the first export. */
  firstReportId: number;
  firstDay: number;
  /** The listed name that decided about the host when it was last compared: the host itself or a parent. */
  domain: string | undefined;
  /** The risk of that name, 1 to 4. */
  riskLevel: number | undefined;
}

/**
 * Formats a host as one text, its line: what the last export says, then what later exports keep. The listed name is
 * the end of the host, so its length says which it is.
 */
export function formatHost(host: WatchedHost): string {
  const { host: name, lastDay, reportId, backlinks, firstDay, firstReportId, domain, riskLevel } = host;
  const line = `${name} ${lastDay} ${reportId} ${backlinks} ${firstDay} ${firstReportId}`;
  return domain === undefined ? line : `${line} ${domain.length} ${riskLevel}`;
}

export function parseHost(line: string): WatchedHost {
  const [host = '', ...cells] = line.split(cellSeparator);
  const [lastDay = 0, reportId = 0, backlinks = 0, firstDay = 0, firstReportId = 0, length, riskLevel] =
    cells.map(Number);
  const domain = length === undefined ? undefined : host.slice(-length);
  return { host, backlinks, reportId, lastDay, firstReportId, firstDay, domain, riskLevel };
}

/** Returns the name of a line. */
export function hostOf(line: string): string {
  const end = line.indexOf(cellSeparator);
  return end < 0 ? line : line.slice(0, end);
}

/** Returns where the cells that later exports keep start. */
function endOfLastExport(line: string): number {
  let end = 0;
  for (let cells = 0; cells < 4; cells += 1) end = line.indexOf(cellSeparator, end + 1);
  return end;
}

/** Merges two lines of a host: what the later one says about its last export, and what the earlier one keeps. */
export const mergeLines = (earlier: string, later: string): string =>
  later.slice(0, endOfLastExport(later)) + earlier.slice(endOfLastExport(earlier));

/** Whether a listed name decided about the host of a line. */
export const isListed = (line: string): boolean => parseHost(line).domain !== undefined;

/** Whether this listed name decided about one of the hosts of a block, with this risk. */
export function hasDecision(body: string, domain: string, riskLevel: number): boolean {
  const verdict = ` ${domain.length} ${riskLevel}`;
  for (let place = body.indexOf(verdict); place >= 0; place = body.indexOf(verdict, place + 1)) {
    const end = place + verdict.length;
    if (end < body.length && body[end] !== hostSeparator) continue;
    if (parseHost(body.slice(body.lastIndexOf(hostSeparator, place) + 1, end)).domain === domain) return true;
  }
  return false;
}

/** Replaces lines of a block. @param lines the old and the new lines, in the order of the block */
export function replaceLines(body: string, lines: readonly (readonly [before: string, after: string])[]): string {
  const parts: string[] = [];
  let start = 0;
  for (const [before, after] of lines) {
    const place = findLine(body, before, start);
    parts.push(body.slice(start, place), after);
    start = place + before.length;
  }
  parts.push(body.slice(start));
  return parts.join('');
}

/** Returns where a line of a block is. The same text can also be the end of another line. */
function findLine(body: string, line: string, from: number): number {
  let place = body.indexOf(line, from);
  while (place > 0 && body[place - 1] !== hostSeparator) place = body.indexOf(line, place + 1);
  return place;
}

/** The hosts of a website whose registrable domains have hash values of the same part. */
export interface Block {
  bucket: number;
  /** The lines of the hosts, in any order. */
  body: string;
  hostCount: number;
  /** The earliest of the last days of the hosts. */
  oldestDay: number;
}

export const splitBlock = (body: string): string[] => body.split(hostSeparator);

export const joinLines = (lines: readonly string[]): string => lines.join(hostSeparator);

export function toBlock(bucket: number, lines: readonly string[]): Block {
  const oldestDay = lines.reduce((oldest, line) => Math.min(oldest, lastDayOf(line)), Number.POSITIVE_INFINITY);
  return { bucket, body: joinLines(lines), hostCount: lines.length, oldestDay };
}

function lastDayOf(line: string): number {
  const start = line.indexOf(cellSeparator) + 1;
  return Number(line.slice(start, line.indexOf(cellSeparator, start)));
}

/** A host of an export, and the listed name that decides about it. */
export interface ExportedHost {
  host: string;
  /** Its registrable domain, or the host itself if it has none. */
  registrableDomain: string;
  /** Its links, without lost ones. */
  backlinks: number;
  /** The listed name that decides about the host. */
  domain: string | undefined;
  /** The risk of that name, 1 to 4. */
  riskLevel: number | undefined;
}

/**
 * Merges hosts of an export with those of a block. Known hosts keep their first export and their verdict. Those that
 * have only lost links are removed. Joins parts of lines once, because an export has several hundred thousand hosts.
 * @param body the block; undefined if there was none
 * @param onOther is called for each host of the block that the export does not have
 */
export function mergeBlock(
  bucket: number,
  body: string | undefined,
  hosts: readonly ExportedHost[],
  { reportId, day, onOther }: { reportId: number; day: number; onOther(host: string): void },
): Block {
  const known = new Map((body === undefined ? [] : splitBlock(body)).map((line) => [hostOf(line), line]));
  const ofExport = ` ${day} ${reportId} `;
  const ofFirstExport = ` ${day} ${reportId}`;
  const parts: string[] = [];
  let hostCount = 0;
  for (const { host, backlinks, domain, riskLevel } of hosts) {
    const before = known.get(host);
    if (before !== undefined) known.delete(host);
    if (backlinks === 0) continue;
    if (hostCount > 0) parts.push(hostSeparator);
    hostCount += 1;
    parts.push(host, ofExport, String(backlinks));
    if (before !== undefined) parts.push(before.slice(endOfLastExport(before)));
    else if (domain === undefined) parts.push(ofFirstExport);
    else parts.push(ofFirstExport, ` ${domain.length} ${riskLevel}`);
  }
  let oldestDay = hostCount > 0 ? day : Number.POSITIVE_INFINITY;
  for (const [host, line] of known) {
    onOther(host);
    if (hostCount > 0) parts.push(hostSeparator);
    hostCount += 1;
    parts.push(line);
    oldestDay = Math.min(oldestDay, lastDayOf(line));
  }
  return { bucket, body: parts.join(''), hostCount, oldestDay };
}

/** FNV-1a over a name from its end, so that one pass over a host has the hashes of its parents too. */
const emptyHash = 0x811c9dc5;
const addCharacter = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193);
/** Spreads each character over all bits. */
function finishHash(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}

function hashName(name: string): number {
  let hash = emptyHash;
  for (let i = name.length - 1; i >= 0; i -= 1) hash = addCharacter(hash, name.charCodeAt(i));
  return finishHash(hash);
}

/** About how many hosts a block has. Measured in docs/decisions/0050-hosts-in-blocks.md. */
const hostsPerBlock = 64;
const maxLevel = 16;

/** Returns the level of a website with this many hosts: their hash values are in `2 ** level` parts. */
export function levelFor(hosts: number): number {
  return Math.min(Math.max(Math.ceil(Math.log2(hosts / hostsPerBlock)), 0), maxLevel);
}

/**
 * Returns the bucket of a registrable domain: a node of the binary tree over the hash values, whose root is 1. So the
 * number of a bucket also says its level.
 */
export const bucketOf = (registrableDomain: string, level: number): number =>
  (1 << level) | ((hashName(registrableDomain) >>> 1) >>> (31 - level));

export const levelOf = (bucket: number): number => 31 - Math.clz32(bucket);

/** Names of the blacklist that changed, in memory that does not depend on their lengths. */
export interface ChangedNames {
  /** @param parents the name itself and its parents, one of which is the registrable domain of its hosts */
  add(name: string, parents: readonly string[]): void;
  /** Returns the buckets of all levels with hosts that the names may cover. */
  listBuckets(): number[];
  /**
   * Returns the lines of a block whose host, or a parent of it, is one of the names. About one in 64 of the
   * other lines is returned too.
   */
  findLines(body: string): string[];
}

/** @param count the number of names that will be added */
export function createChangedNames(count: number): ChangedNames {
  const bits = Math.min(Math.max(Math.ceil(Math.log2(count + 1)) + 6, 10), 28);
  const filter = new Uint32Array(2 ** (bits - 5));
  const buckets = new Uint8Array(2 << maxLevel);
  const has = (hash: number) => {
    const place = finishHash(hash) >>> (32 - bits);
    return ((filter[place >>> 5] as number) & (1 << (place & 31))) !== 0;
  };
  /** Whether the filter has the host between two places of a text, or a parent with at least two labels. */
  const mayCover = (text: string, start: number, end: number) => {
    let hash = emptyHash;
    let labels = 1;
    for (let i = end - 1; i >= start; i -= 1) {
      const code = text.charCodeAt(i);
      if (code === dot) {
        if (labels > 1 && has(hash)) return true;
        labels += 1;
      }
      hash = addCharacter(hash, code);
    }
    return has(hash);
  };
  return {
    add(name, parents) {
      const place = hashName(name) >>> (32 - bits);
      filter[place >>> 5] = (filter[place >>> 5] as number) | (1 << (place & 31));
      for (const parent of parents) {
        for (let bucket = bucketOf(parent, maxLevel); bucket > 0 && !buckets[bucket]; bucket >>>= 1) {
          buckets[bucket] = 1;
        }
      }
    },
    listBuckets() {
      const found: number[] = [];
      for (let bucket = buckets.indexOf(1); bucket >= 0; bucket = buckets.indexOf(1, bucket + 1)) found.push(bucket);
      return found;
    },
    findLines(body) {
      // Most lines are not returned, so no text is made of them.
      const lines: string[] = [];
      for (let start = 0; start < body.length; ) {
        let end = start;
        while (body.charCodeAt(end) !== space) end += 1;
        const separator = body.indexOf(hostSeparator, end);
        const next = separator < 0 ? body.length : separator;
        if (mayCover(body, start, end)) lines.push(body.slice(start, next));
        start = next + 1;
      }
      return lines;
    },
  };
}
