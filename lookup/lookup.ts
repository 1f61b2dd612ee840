import { type RiskLevel, riskLevels } from '#shared/blacklist/domains.ts';
import type { Range, RangeHash } from '#shared/checks/range.ts';
import { findCoveringName, lookupNames } from '../server/hostnames/coverage/coverage.ts';

/**
 * The client of private checks, for the browser extension and the command line. No name leaves this program: only the
 * first digits of its hash do.
 */

/** The listing that decides about a host. */
export interface Listing extends Pick<RangeHash, 'confidence' | 'sourceCount' | 'dateAdded'> {
  /** The listed name: the host or one of its parent domains. */
  domain: string;
  riskLevel: RiskLevel;
}

export interface LookupOptions {
  /** The digits to send, from `getRangeInfo`. At most five are sent. */
  prefixLength: number;
  /** A secret of this client. With it, the same names always get the same decoys. */
  salt: string;
  /** Returns the response to `getRange`. @throws if there is none */
  readRange(prefix: string): Promise<Pick<Range, 'hashes'>>;
}

/**
 * The names of one host are looked up together, so their prefixes together say more than one alone. With decoys, a
 * lookup has at least this many.
 */
const minPrefixes = 8;
/** No server gets more, because more digits would identify a name. Fewer than a billion listed names need no more. */
const maxPrefixLength = 5;
const maxParallelRequests = 6;

/**
 * Looks up hosts with the same result as `GET /api/v1/check`.
 * @param hosts normalized hosts
 * @returns the listing that decides about each listed host. Other hosts are absent
 */
export async function lookUp(hosts: Iterable<string>, options: LookupOptions): Promise<Map<string, Listing>> {
  const all = [...new Set(hosts)];
  const names = [...new Set(all.flatMap(lookupNames))];
  const hashes = new Map(await Promise.all(names.map(async (name) => [await hashName(name), name] as const)));
  const prefixLength = Math.min(options.prefixLength, maxPrefixLength);
  const prefixes = new Set([...hashes.keys()].map((hash) => hash.slice(0, prefixLength)));
  const found = new Map<string, RangeHash>();
  for (const { hashes: entries } of await readRanges(await addDecoys(prefixes, prefixLength, options.salt), options)) {
    for (const entry of entries) {
      const name = hashes.get(entry.hash);
      if (name !== undefined) found.set(name, entry);
    }
  }
  const risks = new Map(Array.from(found, ([name, { riskLevel }]) => [name, riskLevel ? toRisk(riskLevel) : 0]));
  const listings = new Map<string, Listing>();
  for (const host of all) {
    const domain = findCoveringName(host, risks);
    const entry = domain === undefined ? undefined : found.get(domain);
    if (domain === undefined || !entry?.riskLevel) continue;
    const { riskLevel, confidence, sourceCount, dateAdded } = entry;
    listings.set(host, { domain, riskLevel, confidence, sourceCount, dateAdded });
  }
  return listings;
}

/** 1 to 4. */
const toRisk = (level: RiskLevel) => riskLevels.indexOf(level) + 1;

/** Returns the SHA-256 of a name, in hexadecimal digits. */
export async function hashName(name: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(name));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Returns the prefixes in an order that says nothing. If there are several, but few, decoys are among them: always the
 * same ones, because those that change would show which prefixes are real.
 */
async function addDecoys(prefixes: ReadonlySet<string>, length: number, salt: string): Promise<string[]> {
  const all = new Set(prefixes);
  const seed = [salt, ...[...prefixes].sort()].join(' ');
  for (let i = 0; prefixes.size > 1 && all.size < minPrefixes; i += 1) {
    all.add((await hashName(`${seed} ${i}`)).slice(0, length));
  }
  return [...all].sort();
}

async function readRanges(prefixes: readonly string[], { readRange }: LookupOptions): Promise<Pick<Range, 'hashes'>[]> {
  const ranges: Pick<Range, 'hashes'>[] = [];
  const rest = prefixes.values();
  const readAll = async () => {
    for (const prefix of rest) ranges.push(await readRange(prefix));
  };
  await Promise.all(Array.from({ length: maxParallelRequests }, readAll));
  return ranges;
}
