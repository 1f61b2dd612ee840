import type { Db } from '../../platform/db/database.ts';
import { conflict } from '../../platform/http/errors.ts';
import { listWebsitesOfUser } from '../websites/queries.ts';
import { getOwnWebsite } from '../websites/websites.ts';
import {
  bucketOf,
  type ExportedHost,
  formatHost,
  levelFor,
  mergeBlock,
  parseHost,
  splitBlock,
  toBlock,
  type WatchedHost,
} from './host-blocks.ts';
import { findBucket, findLevel, lockHosts, readBlocks, rebuildBlocks, writeBlocks } from './host-storage.ts';
import { compareChanges } from './match-changes.ts';
import * as store from './store-hosts.ts';
import { listMatchedIds } from './store-matching.ts';
import * as unmoved from './store-unmoved.ts';

const dayMs = 86_400_000;

/**
 * Stores the hosts of an export, in the caller's transaction, which also stores the report. Hosts of earlier exports
 * stay, because no tool knows all links. Changes of the blacklist that were matched after the lookups are compared with
 * the new hosts, which were not stored yet. Does nothing if the website has no owner.
 * @param since the time that `getDatabaseTime` returned
 */
export async function storeHosts(
  trx: Db,
  { since, ...exported }: { websiteId: number; reportId: number; hosts: readonly ExportedHost[]; since: Date },
): Promise<void> {
  const { websiteId } = exported;
  if (!(await lockHosts(trx, websiteId))) return;
  await mergeHosts(trx, exported);
  const missed = await listMatchedIds(trx, since);
  if (missed.length > 0) await compareChanges(trx, missed, { now: new Date(), websiteId });
}

/** Known hosts keep their verdict, which is in step with the changes that were matched. */
async function mergeHosts(
  trx: Db,
  { websiteId, reportId, hosts }: { websiteId: number; reportId: number; hosts: readonly ExportedHost[] },
): Promise<void> {
  const level = (await findLevel(trx, websiteId)) ?? levelFor(hosts.length);
  const exported = groupByBucket(hosts, level);
  const day = Math.floor(Date.now() / dayMs);
  let isMisplaced = false;
  const merge = (bucket: number, body?: string) => {
    // The Public Suffix List may have changed, so that the export has such a host in another block.
    const onOther = (host: string) => {
      isMisplaced ||= findBucket(host, level) !== bucket;
    };
    const added = exported.take(bucket);
    const block = mergeBlock(bucket, body, added, { reportId, day, onOther });
    return added.length > 0 ? [block] : [];
  };
  for await (const page of readBlocks(trx, websiteId)) {
    const merged = page.flatMap(({ bucket, body }) => merge(bucket, body));
    await writeBlocks(trx, websiteId, merged);
  }
  await writeBlocks(
    trx,
    websiteId,
    exported.listBuckets().flatMap((bucket) => merge(bucket)),
  );
  const count = await store.updateHostCount(trx, websiteId);
  if (isMisplaced || Math.abs(levelFor(count) - level) > 1) await rebuildBlocks(trx, websiteId);
}

/** Orders hosts by the buckets of a level, so that arrays for each bucket exist only while it is merged. */
function groupByBucket(hosts: readonly ExportedHost[], level: number) {
  const first = 2 ** level;
  const places = new Int32Array(hosts.length);
  /** Where the hosts of each bucket start in `ordered`, and then those of the next one. */
  const starts = new Int32Array(first + 1);
  for (const [number, { registrableDomain }] of hosts.entries()) {
    const place = bucketOf(registrableDomain, level) - first;
    places[number] = place;
    starts[place + 1] = (starts[place + 1] as number) + 1;
  }
  for (let place = 0; place < first; place += 1) {
    starts[place + 1] = (starts[place + 1] as number) + (starts[place] as number);
  }
  const ordered = new Int32Array(hosts.length);
  const next = starts.slice();
  for (const [number, place] of places.entries()) {
    const position = next[place] as number;
    next[place] = position + 1;
    ordered[position] = number;
  }
  const taken = new Uint8Array(first);
  return {
    /** Returns the hosts of a bucket. */
    take(bucket: number): ExportedHost[] {
      const place = bucket - first;
      taken[place] = 1;
      const found: ExportedHost[] = [];
      for (let position = starts[place] as number; position < (starts[place + 1] as number); position += 1) {
        found.push(hosts[ordered[position] as number] as ExportedHost);
      }
      return found;
    },
    /** Yields the buckets that were not taken. */
    *listBuckets(): Generator<number> {
      for (let place = 0; place < first; place += 1) if (!taken[place]) yield first + place;
    },
  };
}

/** Moves the hosts of a website that an earlier version stored into blocks. A website without owner loses them. */
export async function moveHosts(trx: Db, websiteId: number): Promise<void> {
  if (!(await lockHosts(trx, websiteId))) await unmoved.deleteHosts(trx, websiteId);
}

/**
 * Replaces hosts of a website by what `change` returns: the host itself to leave it as it is, or undefined to remove
 * it. Does nothing if the website has no owner.
 */
export async function changeHosts(
  trx: Db,
  websiteId: number,
  change: (host: WatchedHost) => WatchedHost | undefined,
): Promise<void> {
  if (!(await lockHosts(trx, websiteId))) return;
  const changeBlock = ({ bucket, body }: store.StoredBlock) => {
    let isChanged = false;
    const lines = splitBlock(body).flatMap((line) => {
      const before = parseHost(line);
      const after = change(before);
      isChanged ||= after !== before;
      return after === undefined ? [] : [after === before ? line : formatHost(after)];
    });
    return isChanged ? [toBlock(bucket, lines)] : [];
  };
  for await (const page of readBlocks(trx, websiteId)) await writeBlocks(trx, websiteId, page.flatMap(changeBlock));
  await store.updateHostCount(trx, websiteId);
}

/**
 * Deletes the hosts that only a deleted report had, and keeps the others with the report that has them too. Waits for
 * an analysis of the same website.
 */
export async function deleteHostsOfReport(
  trx: Db,
  { websiteId, reportId }: { websiteId: number; reportId: number },
): Promise<void> {
  await changeHosts(trx, websiteId, (host) => {
    const [first, last] = [host.firstReportId, host.reportId];
    if (first !== reportId && last !== reportId) return host;
    if (first === last) return undefined;
    const kept = first === reportId ? last : first;
    return { ...host, firstReportId: kept, reportId: kept };
  });
}

/** Up to so many rows of a deleted website are deleted at once: well under a second. */
const rowsPerBatch = { website_host_blocks: 1000, website_hosts: 10_000 } as const;

/** Deletes some of the hosts of a deleted website. @returns whether that was all of them */
export async function deleteHostsOfWebsite(trx: Db, websiteId: number): Promise<boolean> {
  for (const table of ['website_host_blocks', 'website_hosts'] as const) {
    const limit = rowsPerBatch[table];
    if ((await store.deleteHostRows(trx, table, websiteId, limit)) === limit) return false;
  }
  return true;
}

/** Deletes the hosts that no export had for `maxDays` days, one website after the other. */
export async function deleteOldHosts(db: Db, maxDays: number): Promise<void> {
  const oldest = Math.floor(Date.now() / dayMs) - maxDays;
  for (const websiteId of await store.listWebsitesWithOldHosts(db, oldest)) {
    await db
      .transaction()
      .execute((trx) => changeHosts(trx, websiteId, (host) => (host.lastDay < oldest ? undefined : host)));
  }
}

/**
 * Yields the hosts of a website in pages, with those that an earlier version stored. Writes nothing, because a standby
 * serves it too.
 * @throws 409 if its blocks have changed meanwhile
 */
export async function* readHosts(db: Db, websiteId: number): AsyncGenerator<WatchedHost[]> {
  const level = await findLevel(db, websiteId);
  const requireLevel = async () => {
    if ((await findLevel(db, websiteId)) !== level) throw conflict('An export is being stored. Please try again.');
  };
  for await (const page of unmoved.listHosts(db, websiteId)) {
    await requireLevel();
    yield page;
  }
  for await (const page of readBlocks(db, websiteId)) {
    await requireLevel();
    yield page.flatMap(({ body }) => splitBlock(body).map(parseHost));
  }
  await requireLevel();
}

/** Yields the hosts of all websites of a user one by one, because a website can have a million of them. */
export async function* listHostsOfUser(db: Db, userId: number) {
  const toDate = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10);
  for (const { id, domain } of await listWebsitesOfUser(db, userId)) {
    for await (const page of readHosts(db, id)) {
      // The website may have been deleted or transferred meanwhile.
      await getOwnWebsite(db, userId, id);
      for (const { host, backlinks, firstDay, lastDay } of page) {
        yield { website: domain, host, backlinks, firstSeen: toDate(firstDay), lastSeen: toDate(lastDay) };
      }
    }
    // The hosts of a website that was deleted before their last page are missing.
    await getOwnWebsite(db, userId, id);
  }
}
