import { fromKysely } from 'pg-boss';
import type { Discovery, DiscoveryStatus } from '#shared/blacklist/discoveries.ts';
import type { Context } from '../../context.ts';
import { listableName } from '../../hostnames/hosts/hosts.ts';
import type { Db, Trx } from '../../platform/db/database.ts';
import { conflict, notFound } from '../../platform/http/errors.ts';
import type { Audit, Identity } from '../../platform/http/scope.ts';
import { requireCrawl } from '../crawl/setting.ts';
import { addListing, mapLockError } from '../domains/domains.ts';
import { describeProtection, loadGuard, requireConfirmation } from '../guard/guard.ts';
import { changeSource } from '../sources/change-source.ts';
import { startSourceRun } from '../sources/source-runs.ts';
import { findOrCreateSources } from '../sources/sources.ts';
import * as store from './store.ts';

type DiscoveryContext = Pick<Context, 'config' | 'db' | 'jobs' | 'now'>;

/** One job of all processes visits the sites that wait, and one more can wait to look for others. */
export const discoveryQueue = { name: 'discoveries', policy: 'stately', retryLimit: 1000 } as const;

/** The source of accepted proposals. A site's own offer is the strongest kind. */
const crawlerSource = { name: 'crawler', kind: 'inventory' } as const;

/** Names that one audit event lists. */
const maxAuditNames = 100;

/**
 * Lets the pages of sites be visited. Names that cannot be listed and protected sites are skipped.
 * @throws 409 `crawl_disabled`
 */
export async function startDiscoveries(
  context: DiscoveryContext,
  names: readonly string[],
  audit: Audit,
): Promise<{ count: number; skipped: { name: string; reason: string }[] }> {
  await requireCrawl(context);
  return await context.db.transaction().execute(async (trx) => {
    const { domains, skipped } = await chooseDomains(trx, names);
    await want(context, trx, domains);
    await audit(trx, { count: domains.length, domains: domains.slice(0, maxAuditNames) });
    return { count: domains.length, skipped };
  });
}

/** Normalizes names, each once, and leaves out those that are never visited. */
export async function chooseDomains(db: Db, names: readonly string[]) {
  const read = names.map((name) => ({ name, listable: listableName(name) }));
  const valid = read.flatMap(({ listable }) => ('reason' in listable ? [] : [listable.name]));
  const guard = await loadGuard(db, valid);
  const skipped: { name: string; reason: string }[] = [];
  const domains = new Set<string>();
  for (const { name, listable } of read) {
    const protection = 'reason' in listable ? undefined : guard(listable.name);
    if ('reason' in listable) skipped.push({ name, reason: listable.reason });
    else if (protection) skipped.push({ name, reason: describeProtection(protection) });
    else domains.add(listable.name);
  }
  return { domains: [...domains], skipped };
}

/** Wants visits of sites, and sends the job that makes them. */
export async function want({ jobs, now }: Pick<Context, 'jobs' | 'now'>, trx: Db, domains: readonly string[]) {
  if (domains.length === 0) return;
  await store.insertWanted(trx, domains, now());
  await jobs.send(discoveryQueue.name, {}, { db: fromKysely(trx) });
}

/**
 * What was found before visits were turned off stays readable.
 * @throws 409 `crawl_disabled` while nothing has been visited
 */
export async function listDiscoveries(
  context: Pick<Context, 'config' | 'db'>,
  query: { status: DiscoveryStatus; page: number; pageSize: number },
): Promise<{ discoveries: Discovery[]; total: number; waiting: number }> {
  if (!(await store.hasVisited(context.db))) await requireCrawl(context);
  const { rows, total } = await store.listByStatus(context.db, query);
  return { discoveries: rows.map(toDiscovery), total, waiting: await store.countWanted(context.db) };
}

/**
 * Accepts or rejects a proposal. An accepted site is added to the blacklist in the same transaction, with the price and
 * the page of its offer.
 * @throws 404, or 409 `crawl_disabled` while visits are turned off; 409 if it is no proposal or the site is protected
 *   by now, and 503 while an import has the domain locked
 */
export async function decideDiscovery(
  context: DiscoveryContext,
  id: number,
  status: 'accepted' | 'rejected',
  { admin, audit }: { admin: Identity; audit: Audit },
): Promise<Discovery> {
  const { db, now } = context;
  if (status === 'accepted') {
    await db.transaction().execute(async (trx) => {
      await lockProposal(context, trx, id);
      await prepareSource(context, trx, admin);
    });
  }
  return await mapLockError(
    db.transaction().execute(async (trx) => {
      const row = await lockProposal(context, trx, id);
      const listing = status === 'accepted' ? await addToBlacklist(trx, row, admin, now()) : undefined;
      await store.updateStatus(trx, id, status, now());
      await audit(trx, { domain: row.domain, status, ...(listing && { outcome: listing.outcome }) });
      return toDiscovery({ ...row, status });
    }),
  );
}

async function lockProposal(context: DiscoveryContext, trx: Db, id: number): Promise<store.DiscoveryRow> {
  const row = await store.lockDiscovery(trx, id);
  if (!row) {
    await requireCrawl(context);
    throw notFound('discovery', id);
  }
  if (row.status !== 'proposed') {
    throw conflict(`${row.domain} is not a proposal. Refresh the page.`, { status: row.status });
  }
  return row;
}

/** Makes sure that offers of the source count as proof, also if a file named a source like it. */
async function prepareSource({ jobs }: DiscoveryContext, trx: Trx, admin: Identity): Promise<void> {
  const [source] = await findOrCreateSources(trx, [crawlerSource.name], crawlerSource.kind);
  if (source?.kind !== 'manual') return;
  const { run } = await changeSource(trx, source.id, { kind: crawlerSource.kind });
  if (run) await startSourceRun(trx, jobs, admin, run);
}

async function addToBlacklist(trx: Db, row: store.DiscoveryRow, admin: Identity, now: Date) {
  await requireConfirmation(trx, row.domain, { isConfirmed: false, admin, now });
  const price = row.price === null ? null : `${row.price} ${row.currency}`;
  const offer = { price, cost: price, evidenceUrl: row.url, note: row.quote };
  return await addListing(trx, { domain: row.domain, sources: [crawlerSource.name], ...offer }, admin.username, now);
}

function toDiscovery({ seenAt, ...row }: store.DiscoveryRow): Discovery {
  return { ...row, seenAt: (seenAt ?? new Date(0)).toISOString() };
}
