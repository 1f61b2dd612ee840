import { maxSavedViews, maxWebhooks, type Usage, type UsageKind, usageKinds } from '#shared/platform/usage.ts';
import type { Config } from '../../config.ts';
import type { Db } from '../db/database.ts';
import { conflict, storageLimitReached, tooManyRequests } from '../http/errors.ts';
import type { Identity } from '../http/scope.ts';
import * as store from './store.ts';

// Triggers count everything that an account stores (migrations/0001_baseline.sql), so no writer can forget it. Code
// that adds something for an account calls `requireRoom` in the same transaction.

export type Limits = Pick<Config, 'storageLimitBytes' | 'websiteLimit' | 'sessionLimit'>;
type Account = Pick<Identity, 'id' | 'isAdmin'>;

/** Messages, submissions and appeals of an account: it cannot delete those that an admin has read or decided. */
const maxSent = 5000;
/**
 * What the requests of an account write in an hour. What they replace takes space on the disk until it is cleaned up.
 */
const maxWrittenBytesPerHour = 512 * 1024 * 1024;

/** Returns how many of a kind an account may have; undefined without a limit. */
function findLimit({ websiteLimit, sessionLimit }: Limits, kind: UsageKind): number | undefined {
  const limits: Partial<Record<UsageKind, number | undefined>> = {
    websites: websiteLimit,
    views: maxSavedViews,
    webhooks: maxWebhooks,
    messages: maxSent,
    submissions: maxSent,
    appeals: maxSent,
    sessions: sessionLimit,
  };
  return limits[kind];
}

/**
 * Checks the limits of an account that is not an admin's, after something was added for it. Call it in the transaction
 * that added it: the counter is locked by then, so that the limit holds however many requests run at once.
 * @throws 409 if the account has too many of the kind, 507 if it uses all its storage, 429 if it wrote too much in this
 *   hour
 */
export async function requireRoom(trx: Db, config: Limits, userId: number, kind: UsageKind): Promise<void> {
  const { count, bytes, written, isAdmin } = await store.findUsage(trx, userId, kind);
  if (isAdmin) return;
  const limit = findLimit(config, kind);
  if (limit !== undefined && count > limit) {
    const rest = kind === 'websites' ? 'Delete one that you no longer need.' : 'Please tell the administrator.';
    throw conflict(`You have ${limit.toLocaleString('en-US')} ${usageKinds[kind].many}, which is the maximum. ${rest}`);
  }
  const { storageLimitBytes } = config;
  if (storageLimitBytes !== undefined && bytes > storageLimitBytes) {
    throw storageLimitReached(
      `Your account uses all of its ${formatBytes(storageLimitBytes)} of storage. ${howToFree}`,
    );
  }
  if (written > maxWrittenBytesPerHour) {
    const seconds = 3600 - (Math.floor(Date.now() / 1000) % 3600);
    throw tooManyRequests('You have changed too much data this hour. Please try again next hour.', seconds);
  }
}

/** @throws 507 if an account that is not an admin's would use more than its storage with this many bytes more */
export async function requireSpace(trx: Db, config: Limits, user: Account, bytes: number): Promise<void> {
  const { usedBytes, limitBytes } = await getUsage(trx, config, user);
  if (limitBytes === null || usedBytes + bytes <= limitBytes) return;
  throw storageLimitReached(
    `Your account uses ${formatBytes(usedBytes)} of ${formatBytes(limitBytes)}, and this upload needs ` +
      `${formatBytes(bytes)}. ${howToFree}`,
  );
}

const howToFree = 'Delete reports, websites or lists that you no longer need.';

export const noUsage: Usage = { usedBytes: 0, limitBytes: null, kinds: [] };

/** Returns what an account uses. */
export async function getUsage(db: Db, config: Limits, account: Account): Promise<Usage> {
  const [usage] = await listUsage(db, config, [account]);
  return usage ?? noUsage;
}

const kindOrder = Object.keys(usageKinds);

/** Returns what accounts use, in the same order. */
export async function listUsage(db: Db, config: Limits, accounts: readonly Account[]): Promise<Usage[]> {
  const ids = accounts.map(({ id }) => id);
  const usage = Map.groupBy(await store.listUsage(db, ids), ({ userId }) => userId);
  return accounts.map(({ id, isAdmin }) => {
    const own = (usage.get(id) ?? []).toSorted((a, b) => kindOrder.indexOf(a.kind) - kindOrder.indexOf(b.kind));
    return {
      usedBytes: own.reduce((sum, { bytes }) => sum + bytes, 0),
      limitBytes: isAdmin ? null : (config.storageLimitBytes ?? null),
      kinds: own.map(({ kind, count, bytes }) => {
        const limit = isAdmin && kind !== 'sessions' ? undefined : findLimit(config, kind);
        return { kind, count, bytes, limit: limit ?? null };
      }),
    };
  });
}

/** '1.2 GB' */
function formatBytes(bytes: number): string {
  const megabytes = bytes / 1024 ** 2;
  if (megabytes < 1) return 'less than 1 MB';
  return megabytes < 1000 ? `${Math.round(megabytes)} MB` : `${(megabytes / 1024).toFixed(1)} GB`;
}
