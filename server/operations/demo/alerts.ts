import { createWebhook } from '../../accounts/webhooks/webhooks.ts';
import { addListing, delistDomains } from '../../blacklist/domains/domains.ts';
import type { Context } from '../../context.ts';
import type { Identity } from '../../platform/http/scope.ts';
import { matchChanges } from '../../reports/watch/match-changes.ts';
import { updateWatch } from '../../reports/watch/watch.ts';
import { completeDeliveries, listLinkingNames, markAlertsRead, updateHostDates } from './store.ts';

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
  await updateHostDates(db, userId);
  await markAlertsRead(db, userId, new Date(now - 100 * hourMs));
}
