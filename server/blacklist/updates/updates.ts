import { type PublishedFormat, publishedFormats, publishedLists } from '#shared/blacklist/published-list.ts';
import type { BlacklistUpdates, PublicList, UpdateMonth } from '#shared/blacklist/updates.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../platform/db/database.ts';
import { cachedRead } from '../../platform/http/cached-read.ts';
import * as store from './store.ts';

const maxMonths = 24;

/** The changes by month and the public lists. The addresses of the published list depend on the request. */
export type Updates = Omit<BlacklistUpdates, 'published'>;

/** Returns the changes of the last 24 months (UTC), newest first, and the public lists. */
async function listUpdates(db: Db, now: Date): Promise<Updates> {
  const [months, lists] = await Promise.all([listUpdateMonths(db, now, maxMonths), listPublicLists(db)]);
  return { months, lists };
}

/**
 * Returns what completed runs of feeds and imports changed in each of the last `count` months (UTC), newest first.
 * Months without a run are absent.
 */
export async function listUpdateMonths(db: Db, now: Date, count: number): Promise<UpdateMonth[]> {
  const since = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count + 1));
  const [feedMonths, importMonths] = await Promise.all([
    store.listFeedMonths(db, since),
    store.listImportMonths(db, since),
  ]);
  const months = new Map<string, UpdateMonth>();
  const open = (month: string, finishedAt: Date | null) => {
    const found = months.get(month) ?? {
      month,
      updatedAt: '',
      added: 0,
      removed: 0,
      lists: [],
      imports: 0,
      imported: 0,
    };
    const at = finishedAt?.toISOString() ?? '';
    if (at > found.updatedAt) found.updatedAt = at;
    months.set(month, found);
    return found;
  };
  for (const { month, name, isPublic, kind, homepage, licence, updatedAt, ...counts } of feedMonths) {
    const found = open(month, updatedAt);
    found.added += counts.listed;
    found.removed += counts.delisted;
    if (!isPublic) continue;
    // A list that was deleted and added again has two feeds.
    const known = found.lists.find((list) => list.name === name && list.kind === kind);
    if (known) {
      known.added += counts.added;
      known.removed += counts.removed;
    } else {
      const { added, removed } = counts;
      found.lists.push({ name, kind, homepage: toWebAddress(homepage), licence, added, removed });
    }
  }
  for (const { month, imports, imported, updatedAt } of importMonths) {
    const found = open(month, updatedAt);
    found.added += imported;
    Object.assign(found, { imports, imported });
  }
  return [...months.values()].sort((a, b) => (a.month < b.month ? 1 : -1));
}

/**
 * Returns the public lists in the blacklist, by name: the feeds, and deleted ones whose domains are still listed,
 * because their licenses still apply. A list with a private source is absent.
 */
export async function listPublicLists(db: Db): Promise<PublicList[]> {
  const lists = new Map<string, PublicList>();
  for (const { isDeleted, lastSuccessAt, homepage, ...list } of await store.listPublicListRows(db)) {
    const key = `${list.kind} ${list.name}`;
    if (lists.has(key) || (isDeleted && (list.kind === 'allow' || list.domains === 0))) continue;
    lists.set(key, {
      ...list,
      homepage: toWebAddress(homepage),
      lastSuccessAt: lastSuccessAt?.toISOString() ?? null,
    });
  }
  return [...lists.values()];
}

/** Returns a function that reads the updates at most once a minute, and null while they are not known. */
export function cachedUpdates({
  readDb,
  pageWaitMs,
  now,
  log,
}: Pick<Context, 'readDb' | 'pageWaitMs' | 'now' | 'log'>): () => Promise<Updates | null> {
  return cachedRead({
    read: () => listUpdates(readDb, now()),
    // Right after the first run, admins check whether it worked.
    isKept: ({ months }) => months.length > 0,
    what: 'the updates',
    pageWaitMs,
    now,
    log,
  });
}

/** Returns the addresses of the published list; null if this installation does not publish it. */
export function listPublishedUrls(
  { publishBlacklist }: Context['config'],
  origin: string,
): BlacklistUpdates['published'] {
  if (!publishBlacklist) return null;
  return publishedFormats.map((format: PublishedFormat) => ({
    format,
    url: `${origin}${publishedLists[format].path}`,
  }));
}

/** Returns the address if it is an http or https address. */
function toWebAddress(text: string | null): string | null {
  return text !== null && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? text : null;
}
