import { toRiskLevel } from '#shared/blacklist/domains.ts';
import { queueWebhookEvents } from '../../accounts/webhooks/webhooks.ts';
import { findListedNames } from '../../blacklist/domains/domains.ts';
import { findCoveringName, lookupNames, parentNames } from '../../hostnames/coverage/coverage.ts';
import { inCopyTransaction } from '../../platform/db/copy.ts';
import type { Db } from '../../platform/db/database.ts';
import { locks, takeLock } from '../../platform/db/locks.ts';
import type { ProcessContext } from '../../platform/processes/run-in-process.ts';
import * as store from './store-matching.ts';

export interface MatchingTask {
  now: Date;
}

const namesPerQuery = 50_000;
/** Hosts that are looked up by one query. */
const hostsPerQuery = 20_000;

/**
 * Compares the names of the blacklist that changed with the hosts of all websites, and creates alerts. One transaction
 * does all of it and marks the changes as matched, and an alert needs a host whose stored verdict differs from the new
 * one: whatever is interrupted or repeated, a change creates an alert once. The first comparison after the blacklist
 * was emptied only stores the verdicts. Runs in a process of its own.
 * @returns the number of alerts
 */
export async function matchChanges(
  { pool }: Pick<ProcessContext<never>, 'pool'>,
  { now }: MatchingTask,
): Promise<number> {
  return await inCopyTransaction(pool, async (trx) => {
    await takeLock(trx, locks.matching);
    const { ids, isAfterEmptying } = await store.findUnmatched(trx);
    if (ids.length === 0) return 0;
    const alerts = await compareChanges(trx, ids, { now, isAfterEmptying });
    await store.setMatched(trx, ids);
    return alerts;
  });
}

interface ComparisonOptions {
  now: Date;
  /** Compares the hosts of this website only. */
  websiteId?: number;
  isAfterEmptying?: boolean;
}

/**
 * Judges the hosts that changes can concern, stores the verdicts, and creates alerts and their events. The caller holds
 * `locks.matching`, at least shared.
 * @returns the number of alerts
 */
export async function compareChanges(
  trx: Db,
  ids: readonly number[],
  { now, websiteId, isAfterEmptying = false }: ComparisonOptions,
): Promise<number> {
  await store.createMatchingTables(trx);
  for await (const changed of store.readChangedNames(trx, ids, namesPerQuery)) {
    // All parents, because the Public Suffix List may have changed since the hosts were stored.
    const registrableDomains = new Set(changed.flatMap(({ name }) => parentNames(name)));
    await store.insertChangedDomains(trx, [...registrableDomains].join('\n'));
  }
  if (isAfterEmptying) await store.insertListedSites(trx);
  for await (const hosts of store.readAffectedHosts(trx, hostsPerQuery, websiteId)) {
    await store.insertVerdicts(trx, await judgeHosts(trx, hosts));
  }
  await store.collectMovedHosts(trx, websiteId);
  const { runId, alerts } = isAfterEmptying ? { runId: 0, alerts: 0 } : await store.insertAlerts(trx, now);
  await store.updateMovedHosts(trx);
  if (alerts > 0) await queueAlertEvents(trx, runId, now);
  return alerts;
}

/** Alerts that an event describes. */
const maxEventAlerts = 10;

/** Queues one event for each website with alerts, for the webhooks of its owner. */
async function queueAlertEvents(trx: Db, runId: number, now: Date): Promise<void> {
  const toWord = (level: number | null) => (level === null ? null : toRiskLevel(level));
  const websites = await store.listRunAlerts(trx, runId, maxEventAlerts);
  const events = websites.map(({ userId, websiteId, alerts, ...website }) => ({
    type: 'alert.created' as const,
    userId,
    data: {
      runId,
      profileId: websiteId,
      ...website,
      alerts: alerts.map(({ from, to, ...alert }) => ({ ...alert, from: toWord(from), to: toWord(to) })),
      url: `/alerts?website=${websiteId}`,
    },
  }));
  await queueWebhookEvents(trx, events, now);
}

/** Looks up the listed names that decide about hosts now. */
async function judgeHosts(db: Db, affected: readonly { host: string; registrableDomain: string }[]) {
  const names = affected.map(({ host }) => lookupNames(host));
  const listed = await findListedNames(db, [...new Set(names.flat())].join('\n'));
  const covering = affected.map(({ host }) => findCoveringName(host, listed));
  const isExempt = names.map((all, i) => covering[i] === undefined && all.some((name) => listed.get(name)));
  const join = (lines: readonly (string | number | undefined)[]) => lines.map((line) => line ?? '').join('\n');
  return {
    hosts: join(affected.map(({ host }) => host)),
    registrableDomains: join(affected.map(({ registrableDomain }) => registrableDomain)),
    domains: join(covering),
    risks: join(covering.map((name) => (name === undefined ? undefined : listed.get(name)))),
    exempt: join(isExempt.map((exempt) => (exempt ? 't' : 'f'))),
  };
}
