import { pipeline } from 'node:stream/promises';
import { toRiskLevel } from '#shared/domains.ts';
import { inCopyTransaction } from '../db/copy.ts';
import type { Db } from '../db/database.ts';
import { locks, takeLock } from '../db/locks.ts';
import { findListedNames } from '../domains/domains.ts';
import { findCoveringName, lookupNames, registrableDomain } from '../hosts/hosts.ts';
import type { ThreadContext } from '../jobs/run-in-thread.ts';
import { queueWebhookEvents } from '../webhooks/webhooks.ts';
import * as store from './store-matching.ts';

export interface MatchingTask {
  now: Date;
}

/** Hosts that are looked up by one query. */
const hostsPerQuery = 20_000;

/**
 * Compares the names of the blacklist that changed with the hosts of all websites, and creates alerts. One transaction
 * does all of it and marks the changes as matched, and an alert needs a host whose stored verdict differs from the new
 * one: whatever is interrupted or repeated, a change creates an alert once. Runs in a thread.
 * @returns the number of alerts
 */
export async function matchChanges(
  { pool }: Pick<ThreadContext<never>, 'pool'>,
  { now }: MatchingTask,
): Promise<number> {
  return await inCopyTransaction(pool, async (trx, copyFrom) => {
    await takeLock(trx, locks.matching, () => undefined);
    const ids = await store.listUnmatchedIds(trx);
    if (ids.length === 0) return 0;
    await store.createMatchingTables(trx);
    for (const id of ids) {
      const names = await store.listChangedNames(trx, id);
      const sites = new Set(names.map((name) => registrableDomain(name) ?? name));
      await pipeline([[...sites, ''].join('\n')], copyFrom(store.copyChangedSites));
    }
    for await (const hosts of store.readAffectedHosts(trx, hostsPerQuery)) {
      await store.insertVerdicts(trx, await judgeHosts(trx, hosts));
    }
    const { runId, alerts } = await store.applyVerdicts(trx, now);
    if (alerts > 0) await queueAlertEvents(trx, runId, now);
    await store.setMatched(trx, ids);
    return alerts;
  });
}

/** Alerts that an event describes. */
const maxEventAlerts = 10;

/** Queues one event for each website with alerts, for the webhooks of its owner. */
async function queueAlertEvents(trx: Db, runId: number, now: Date): Promise<void> {
  const toWord = (level: number | null) => (level === null ? null : toRiskLevel(level));
  const websites = await store.listRunAlerts(trx, runId, maxEventAlerts);
  const events = websites.map(({ userId, profileId, alerts, ...website }) => ({
    type: 'alert.created' as const,
    userId,
    data: {
      runId,
      profileId,
      ...website,
      alerts: alerts.map(({ from, to, ...alert }) => ({ ...alert, from: toWord(from), to: toWord(to) })),
      url: `/alerts?website=${profileId}`,
    },
  }));
  await queueWebhookEvents(trx, events, now);
}

/** Looks up the listed names that decide about hosts now. */
async function judgeHosts(db: Db, affected: readonly { host: string; site: string }[]) {
  const names = new Set(affected.flatMap(({ host }) => lookupNames(host)));
  const listed = await findListedNames(db, [...names].join('\n'));
  const covering = affected.map(({ host }) => findCoveringName(host, listed));
  const join = (lines: readonly (string | number | undefined)[]) => lines.map((line) => line ?? '').join('\n');
  return {
    hosts: join(affected.map(({ host }) => host)),
    sites: join(affected.map(({ site }) => site)),
    domains: join(covering),
    risks: join(covering.map((name) => (name === undefined ? undefined : listed.get(name)))),
  };
}
