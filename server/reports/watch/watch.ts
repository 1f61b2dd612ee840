import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BodyOf } from '#shared/platform/endpoint.ts';
import type * as contract from '#shared/reports/watch.ts';
import type { Watch } from '#shared/reports/watch.ts';
import type { WatchState } from '#shared/reports/websites.ts';
import { formatCopyRow } from '../../platform/db/copy.ts';
import type { Db } from '../../platform/db/database.ts';
import { locks, takeSharedLock } from '../../platform/db/locks.ts';
import { notFound } from '../../platform/http/errors.ts';
import { resumeDigests } from '../digests/queries.ts';
import { listWebsitesOfUser } from '../websites/queries.ts';
import { getOwnWebsite, lockOwnWebsite } from '../websites/websites.ts';
import * as matching from './match-changes.ts';
import * as store from './store.ts';
import * as hostStore from './store-hosts.ts';
import { listMatchedIds } from './store-matching.ts';

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
 * Stores the hosts of an export, in the caller's transaction, which also stores the report. Hosts of earlier exports
 * stay, because no tool knows all links. Changes of the blacklist that were matched after the lookups are compared with
 * the new hosts, which were not stored yet. Does nothing if the website has no owner.
 * @param copyFrom opens a COPY stream in the same transaction
 * @param since the time that `getDatabaseTime` returned
 */
export async function storeHosts(
  trx: Db,
  copyFrom: (statement: string) => Writable,
  { hosts, since, ...ids }: { websiteId: number; reportId: number; hosts: Iterable<ExportedHost>; since: Date },
): Promise<void> {
  const { websiteId } = ids;
  if (!(await hostStore.lockOwnedWebsite(trx, websiteId))) return;
  await hostStore.createNewHosts(trx);
  await pipeline(toCopyChunks(hosts), copyFrom(hostStore.copyNewHosts));
  await takeSharedLock(trx, locks.matching);
  await hostStore.mergeNewHosts(trx, ids);
  const missed = await listMatchedIds(trx, since);
  if (missed.length > 0) await matching.compareChanges(trx, missed, { now: new Date(), websiteId });
}

function* toCopyChunks(hosts: Iterable<ExportedHost>): Generator<string> {
  let chunk = '';
  for (const { host, registrableDomain, backlinks, domain, riskLevel } of hosts) {
    chunk += formatCopyRow([host, registrableDomain, backlinks, domain, riskLevel]);
    if (chunk.length < 65_536) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}

const hostsPerPage = 5000;

/** Yields the hosts of one of the user's websites, for the export of an account. */
async function* listHostsOfWebsite(db: Db, userId: number, websiteId: number) {
  for (let after = ''; ; ) {
    const page = await hostStore.listHosts(db, { userId, websiteId }, { after, limit: hostsPerPage });
    yield* page;
    if (page.length < hostsPerPage) return;
    after = page.at(-1)?.host ?? '';
  }
}

/** Yields the hosts of all websites of a user one by one, because a website can have a million of them. */
export async function* listHostsOfUser(db: Db, userId: number) {
  for (const { id, domain } of await listWebsitesOfUser(db, userId)) {
    for await (const host of listHostsOfWebsite(db, userId, id)) yield { website: domain, ...host };
    // The hosts of a website that was deleted meanwhile are missing.
    await getOwnWebsite(db, userId, id);
  }
}

/** Returns how one of the user's websites is watched. @throws 404 if the user has no such website */
export async function getWatch(db: Db, userId: number, websiteId: number): Promise<Watch> {
  const [row] = await store.listWatches(db, userId, websiteId);
  if (!row) throw notFound('website', websiteId);
  const { enabled, digest, hosts, exportedAt, emailPaused, listed, raised, lowered, delisted } = row;
  return {
    enabled,
    events: { listed, raised, lowered, delisted },
    digest,
    hosts,
    exportedAt: exportedAt?.toISOString() ?? null,
    emailPaused,
  };
}

/**
 * Changes how one of the user's websites is watched. Choosing a digest lets paused emails resume.
 * @throws 404 if the user has no such website
 */
export async function updateWatch(
  db: Db,
  userId: number,
  websiteId: number,
  { enabled, events, digest }: BodyOf<typeof contract.updateWatch>,
): Promise<Watch> {
  return await db.transaction().execute(async (trx) => {
    await lockOwnWebsite(trx, userId, websiteId);
    await store.upsertWatch(trx, websiteId, { enabled, digest, ...events });
    if (digest && digest !== 'off') await resumeDigests(trx, userId);
    return await getWatch(trx, userId, websiteId);
  });
}

/** Returns how each of the user's websites, or one of them, is watched and what is unread, by the website's id. */
export async function findWatchStates(db: Db, userId: number, websiteId?: number): Promise<Map<number, WatchState>> {
  const [rows, counts] = await Promise.all([
    store.listWatches(db, userId, websiteId),
    store.countUnread(db, userId, websiteId),
  ]);
  const states = new Map<number, WatchState>(
    rows.map((row) => {
      const { enabled, digest, hosts } = row;
      return [row.websiteId, { enabled, digest, hosts, unread: { listed: 0, raised: 0, lowered: 0, delisted: 0 } }];
    }),
  );
  for (const { websiteId: id, event, count } of counts) {
    const state = states.get(id);
    if (state) state.unread[event] = count;
  }
  return states;
}
