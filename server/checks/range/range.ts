import { createHmac, hash } from 'node:crypto';
import { confidences, riskLevels, toConfidence, toRiskLevel } from '#shared/blacklist/domains.ts';
import { minRangeHashes, prefixDigits, type Range, type RangeHash, type RangeInfo } from '#shared/checks/range.ts';
import { getBlacklistStats } from '../../blacklist/domains/domains.ts';
import type { Context } from '../../context.ts';
import { registrableDomain } from '../../hostnames/coverage/coverage.ts';
import type { Db } from '../../platform/db/database.ts';
import { deriveKey } from '../../platform/db/secret-key.ts';
import { getRunVersion } from '../published-list/queries.ts';
import { type HashedRow, listRowsByPrefix } from './store.ts';

/** Returns the size of the blacklist, and the number of digits that private checks should send. */
export async function readRangeInfo(db: Db): Promise<RangeInfo> {
  const [{ total, lastUpdated }, runs] = await Promise.all([getBlacklistStats(db), getRunVersion(db)]);
  const version = hash('sha256', JSON.stringify([total, lastUpdated, runs])).slice(0, 16);
  return { prefixLength: choosePrefixLength(total), version, domains: total };
}

/**
 * Returns the most digits with which every prefix still covers at least `minRangeHashes` listed names. With fewer than
 * 7.5 million domains not even the shortest prefix does, so responses are filled up.
 */
export function choosePrefixLength(domains: number): number {
  let length: number = prefixDigits.min;
  while (length < prefixDigits.max && minShare(domains / 16 ** (length + 1)) >= minRangeHashes) length += 1;
  return length;
}

/**
 * Six standard deviations of a Poisson distribution: with evenly distributed hashes, one prefix in a billion has more
 * or fewer names.
 */
const spread = (mean: number) => 6 * Math.sqrt(mean);
const minShare = (mean: number) => mean - spread(mean);

/** Numbers of hashes are multiples of this, so that they change rarely while the blacklist grows. */
const countStep = 10;

/** Returns how many hashes a response contains, so that nearly all responses have the same number. */
export function chooseHashCount(domains: number, prefixLength: number): number {
  const mean = domains / 16 ** prefixLength;
  return Math.max(minRangeHashes, Math.ceil((mean + spread(mean)) / countStep) * countStep);
}

/**
 * Returns the JSON of the listed hashes that start with a prefix. Made-up hashes fill it up, and spaces after them, so
 * that all responses have the same length: an observer of the encrypted connection cannot tell prefixes apart by it.
 */
export async function readRange(
  { readDb, secretKey }: Pick<Context, 'readDb' | 'secretKey'>,
  prefix: string,
): Promise<string> {
  const [{ version, domains }, rows] = await Promise.all([readRangeInfo(readDb), listRowsByPrefix(readDb, prefix)]);
  // The Public Suffix List can have changed since a name was listed.
  const listed = rows.filter(({ name }) => registrableDomain(name) !== undefined).map(toRangeHash);
  const usualCount = chooseHashCount(domains, prefix.length);
  const count = Math.ceil(Math.max(1, listed.length) / usualCount) * usualCount;
  const key = deriveKey(secretKey.current, 'made-up hashes');
  const fill = Array.from({ length: count - listed.length }, (_, i) => createFillHash(key, prefix, i));
  const hashes = [...listed, ...fill].sort((a, b) => (a.hash < b.hash ? -1 : 1));
  const range: Range = { prefix, hashes, version };
  return JSON.stringify(range).padEnd(maxFrameLength + count * maxHashLength);
}

const toRangeHash = ({ hash, riskLevel, confidence, sourceCount, dateAdded }: HashedRow): RangeHash => ({
  hash,
  riskLevel: riskLevel === null ? null : toRiskLevel(riskLevel),
  confidence: confidence === null ? null : toConfidence(confidence),
  sourceCount,
  dateAdded: dateAdded?.toISOString() ?? null,
});

/**
 * Makes up a hash that looks like that of a listed name. It is always the same, because caches and ETags would be
 * useless otherwise.
 */
function createFillHash(key: Buffer, prefix: string, i: number): RangeHash {
  const bytes = createHmac('sha256', key).update(`range ${prefix} ${i}`).digest();
  const numbers = createHmac('sha256', key).update(bytes).digest();
  const pick = (at: number, count: number) => numbers.readUInt32BE(at) % count;
  return {
    hash: prefix + bytes.toString('hex').slice(prefix.length),
    riskLevel: toRiskLevel(1 + pick(0, riskLevels.length)),
    confidence: toConfidence(1 + pick(4, confidences.length)),
    sourceCount: 1 + pick(8, 5),
    dateAdded: new Date(madeUpFrom + numbers.readUInt32BE(12) * madeUpStepMs).toISOString(),
  };
}

const madeUpFrom = Date.UTC(2024, 0);
/** With 32 bits, the dates are within 994 days. */
const madeUpStepMs = 20;

const findLongest = (words: readonly string[]) => words.toSorted((a, b) => b.length - a.length)[0];

/** The characters of the longest entry with its comma. A source count has up to five digits. */
const maxHashLength =
  JSON.stringify({
    hash: '0'.repeat(64),
    riskLevel: findLongest(riskLevels),
    confidence: findLongest(confidences),
    sourceCount: 99_999,
    dateAdded: new Date(0).toISOString(),
  }).length + 1;
const maxFrameLength = JSON.stringify({
  prefix: '0'.repeat(prefixDigits.max),
  hashes: [],
  version: '0'.repeat(16),
}).length;
