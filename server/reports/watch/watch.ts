import type { BodyOf } from '#shared/platform/endpoint.ts';
import type * as contract from '#shared/reports/watch.ts';
import type { Watch } from '#shared/reports/watch.ts';
import type { WatchState } from '#shared/reports/websites.ts';
import type { Db } from '../../platform/db/database.ts';
import { notFound } from '../../platform/http/errors.ts';
import { resumeDigests } from '../digests/queries.ts';
import { lockOwnWebsite } from '../websites/websites.ts';
import * as store from './store.ts';

/** Returns how one of the user's websites is watched. @throws 404 if the user has no such website */
export async function getWatch(db: Db, userId: number, websiteId: number): Promise<Watch> {
  const [row] = await store.listWatches(db, userId, websiteId);
  if (!row) throw notFound('website', websiteId);
  const { enabled, digest, hosts, exports, exportedAt, emailPaused, listed, raised, lowered, delisted } = row;
  return {
    enabled,
    events: { listed, raised, lowered, delisted },
    digest,
    hosts,
    exports,
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
