import { registrableDomain } from '../../hostnames/coverage/coverage.ts';
import type { Db } from '../../platform/db/database.ts';
import { locks, takeSharedLock } from '../../platform/db/locks.ts';
import {
  type Block,
  bucketOf,
  formatHost,
  hostOf,
  levelFor,
  levelOf,
  mergeLines,
  splitBlock,
  toBlock,
} from './host-blocks.ts';
import * as store from './store-hosts.ts';
import * as unmoved from './store-unmoved.ts';

/**
 * Lets nobody else change the hosts of a website until the transaction ends, and moves those that an earlier version
 * stored.
 * @returns false if the website has no owner; then a job deletes its hosts
 */
export async function lockHosts(trx: Db, websiteId: number): Promise<boolean> {
  if (!(await store.lockOwnedWebsite(trx, websiteId))) return false;
  await takeSharedLock(trx, locks.matching);
  if (await unmoved.hasHosts(trx, websiteId)) await rebuildBlocks(trx, websiteId);
  return true;
}

/** Returns the bucket of a host. */
export const findBucket = (host: string, level: number) => bucketOf(registrableDomain(host) ?? host, level);

/** Returns the level of a website's blocks; undefined if it has none. */
export async function findLevel(db: Db, websiteId: number): Promise<number | undefined> {
  const bucket = await store.findFirstBucket(db, websiteId);
  return bucket === undefined ? undefined : levelOf(bucket);
}

/** Yields the blocks of a website in pages. */
export async function* readBlocks(db: Db, websiteId: number): AsyncGenerator<store.StoredBlock[]> {
  for (let after = 0; ; ) {
    const page = await store.listBlocks(db, websiteId, after);
    if (page.length > 0) yield page;
    if (page.length < store.blocksPerPage) return;
    after = page.at(-1)?.bucket ?? after;
  }
}

/** Adds or replaces blocks, in pages. Those without hosts are deleted. */
export async function writeBlocks(trx: Db, websiteId: number, blocks: Iterable<Block>): Promise<void> {
  const write = async (page: readonly Block[]) => {
    const emptied = page.filter(({ hostCount }) => hostCount === 0);
    await store.upsertBlocks(
      trx,
      websiteId,
      page.filter(({ hostCount }) => hostCount > 0),
    );
    if (emptied.length > 0) await store.deleteBlocks(trx, websiteId, emptied);
  };
  let page: Block[] = [];
  for (const block of blocks) {
    page.push(block);
    if (page.length < store.blocksPerPage) continue;
    await write(page);
    page = [];
  }
  await write(page);
}

/** Sorts all hosts of a website into new blocks, also those that an earlier version stored. */
export async function rebuildBlocks(trx: Db, websiteId: number): Promise<void> {
  const level = levelFor(await store.countHosts(trx, websiteId));
  const groups = new Map<number, string[]>();
  function add(host: string, line: string): void {
    const bucket = findBucket(host, level);
    const lines = groups.get(bucket);
    if (lines) lines.push(line);
    else groups.set(bucket, [line]);
  }
  for await (const page of readBlocks(trx, websiteId)) {
    for (const line of page.flatMap(({ body }) => splitBlock(body))) add(hostOf(line), line);
  }
  for await (const page of unmoved.readHosts(trx, websiteId)) {
    for (const host of page) add(host.host, formatHost(host));
  }
  await store.deleteBlocks(trx, websiteId);
  await unmoved.deleteHosts(trx, websiteId);
  const blocks = groups.entries().map(([bucket, lines]) => toBlock(bucket, mergeDuplicates(lines.sort())));
  await writeBlocks(trx, websiteId, blocks);
  await store.updateHostCount(trx, websiteId);
}

/** Merges lines of the same host. Its first line has the earlier days. */
const mergeDuplicates = (sorted: readonly string[]): string[] =>
  sorted.reduce<string[]>((merged, line) => {
    const before = merged.at(-1);
    if (before !== undefined && hostOf(before) === hostOf(line)) merged[merged.length - 1] = mergeLines(before, line);
    else merged.push(line);
    return merged;
  }, []);
