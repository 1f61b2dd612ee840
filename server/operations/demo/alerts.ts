import { createHash } from 'node:crypto';
import { createWebhook } from '../../accounts/webhooks/webhooks.ts';
import { addListing, delistDomains } from '../../blacklist/domains/domains.ts';
import type { Context } from '../../context.ts';
import { registrableDomain } from '../../hostnames/coverage/coverage.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Identity } from '../../platform/http/scope.ts';
import type { WatchedHost } from '../../reports/watch/host-blocks.ts';
import { changeHosts, readHosts } from '../../reports/watch/hosts.ts';
import { matchChanges } from '../../reports/watch/match-changes.ts';
import { updateWatch } from '../../reports/watch/watch.ts';
import { listWebsitesOfUser } from '../../reports/websites/queries.ts';
import { completeDeliveries, listAlertedNames, listReportDays, markAlertsRead } from './store.ts';

const hourMs = 3_600_000;

/** How the blacklist changed since the newest reports, oldest first. */
const runs = [
  { hoursAgo: 150, listed: 9, raised: 4, delisted: 0 },
  { hoursAgo: 52, listed: 3, raised: 6, delisted: 2 },
  { hoursAgo: 2, listed: 5, raised: 1, delisted: 1 },
];

const shops = ['linkvault shop', 'guestpost bazaar', 'adsquare market'] as const;

/**
 * Lists, raises and delists domains that link to the websites of the demo, and creates the alerts, of which the first
 * ones are read, and the deliveries of a webhook.
 */
export async function fillAlerts(
  context: Context,
  user: Identity,
  [first, second]: readonly { id: number }[],
  admin: { username: string },
): Promise<void> {
  const { db, pool } = context;
  const userId = user.id;
  const url = 'https://hooks.northgate-search.example/linksieve';
  await createWebhook(context, user, { url, events: ['alert.created', 'report.completed'] }, async () => undefined);
  const now = context.now().getTime();
  if (first) await updateWatch(db, userId, first.id, { digest: 'daily' });
  if (second) await updateWatch(db, userId, second.id, { digest: 'weekly', events: { lowered: false } });
  await matchChanges({ pool }, { now: new Date(now) });
  for (const { hoursAgo, ...counts } of runs) {
    const at = new Date(now - hoursAgo * hourMs);
    const names = await listLinkingNames(db, userId, counts);
    await db.transaction().execute(async (trx) => {
      for (const [i, domain] of names.listed.entries()) {
        const evidence = { kind: 'inventory', price: `$${40 + 15 * i}` } as const;
        const sources = i % 3 === 0 ? shops : shops.slice(0, 1 + (i % 2));
        await addListing(trx, { domain, sources, ...evidence }, admin.username, at);
      }
      for (const domain of names.raised) await addListing(trx, { domain, sources: shops }, admin.username, at);
      await delistDomains(trx, names.delisted, at);
    });
    await matchChanges({ pool }, { now: at });
  }
  await completeDeliveries(db);
  await updateHostDays(db, userId);
  await markAlertsRead(db, userId, new Date(now - 100 * hourMs));
}

/** Returns names that link to the user's websites: unlisted ones to list, and listed ones to raise and to delist. */
async function listLinkingNames(
  db: Db,
  userId: number,
  counts: { listed: number; raised: number; delisted: number },
): Promise<{ listed: string[]; raised: string[]; delisted: string[] }> {
  const alerted = await listAlertedNames(db);
  const hosts: WatchedHost[] = [];
  for (const { id } of await listWebsitesOfUser(db, userId)) {
    for await (const page of readHosts(db, id)) hosts.push(...page);
  }
  const find = (matches: (host: WatchedHost) => boolean, count: number) => {
    const names = new Set(hosts.filter(matches).map(({ domain, host }) => domain ?? host));
    const ordered = [...names.difference(alerted)].map((name) => ({ name, place: hash(name) }));
    return ordered
      .sort((a, b) => (a.place < b.place ? -1 : 1))
      .slice(0, count)
      .map(({ name }) => name);
  };
  const raised = find(({ riskLevel }) => riskLevel !== undefined && riskLevel < 3, counts.raised);
  return {
    listed: find(
      ({ host, domain }) => domain === undefined && (registrableDomain(host) ?? host) === host,
      counts.listed,
    ),
    raised,
    delisted: find(({ domain }) => domain !== undefined && !raised.includes(domain), counts.delisted),
  };
}

const hash = (name: string) => createHash('md5').update(name).digest('hex');

/** Gives the hosts of the user's websites the days of their reports. */
async function updateHostDays(db: Db, userId: number): Promise<void> {
  for (const { websiteId, ...days } of await listReportDays(db, userId)) {
    await db.transaction().execute((trx) => changeHosts(trx, websiteId, (host) => ({ ...host, ...days })));
  }
}
