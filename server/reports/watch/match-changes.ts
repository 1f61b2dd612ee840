import { toRiskLevel } from '#shared/blacklist/domains.ts';
import { queueWebhookEvents } from '../../accounts/webhooks/webhooks.ts';
import { findListedNames } from '../../blacklist/domains/domains.ts';
import { findCoveringName, lookupNames, parentNames } from '../../hostnames/coverage/coverage.ts';
import { inCopyTransaction } from '../../platform/db/copy.ts';
import type { Db } from '../../platform/db/database.ts';
import { locks, takeLock } from '../../platform/db/locks.ts';
import type { ProcessContext } from '../../platform/processes/run-in-process.ts';
import {
  createChangedNames,
  formatHost,
  hasDecision,
  isListed,
  parseHost,
  replaceLines,
  splitBlock,
  type WatchedHost,
} from './host-blocks.ts';
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
  const changed = createChangedNames(await store.countNames(trx, ids));
  for await (const page of store.readChangedNames(trx, ids, namesPerQuery)) {
    // All parents, because the Public Suffix List may have changed since the hosts were stored.
    for (const { name } of page) changed.add(name, parentNames(name));
  }
  const findLines = (body: string) => {
    const lines = changed.findLines(body);
    if (!isAfterEmptying) return lines;
    const found = new Set(lines);
    return splitBlock(body).filter((line) => isListed(line) || found.has(line));
  };
  const judge = createJudge(trx);
  await store.createMovedHosts(trx);
  const buckets = isAfterEmptying ? undefined : changed.listBuckets();
  for await (const page of store.readBlocks(trx, { buckets, websiteId })) {
    const affected = page.flatMap((block) => {
      const hosts = findLines(block.body).map((line) => ({ line, stored: parseHost(line) }));
      return hosts.length > 0 ? [{ ...block, hosts }] : [];
    });
    const verdicts = await judge(affected.flatMap(({ hosts }) => hosts.map(({ stored }) => stored.host)));
    const moved = affected.map((block) => findMoved(block, verdicts)).filter(({ hosts }) => hosts.length > 0);
    if (moved.length === 0) continue;
    await store.insertMovedHosts(
      trx,
      moved.flatMap(({ hosts }) => hosts),
    );
    await store.updateBodies(trx, moved);
  }
  await store.lockMovedWebsites(trx);
  const { runId, alerts } = isAfterEmptying ? { runId: 0, alerts: 0 } : await store.insertAlerts(trx, now);
  if (alerts > 0) await queueAlertEvents(trx, runId, now);
  return alerts;
}

/** A block with hosts that changes can concern. */
interface AffectedBlock extends store.WebsiteBlock {
  hosts: readonly { line: string; stored: WatchedHost }[];
}

/** Returns the block with the new verdicts, and its hosts whose verdict was another one. */
function findMoved(
  { websiteId, bucket, body, hosts }: AffectedBlock,
  verdicts: ReadonlyMap<string, Verdict>,
): store.WebsiteBlock & { hosts: store.MovedHost[] } {
  const lines: [before: string, after: string][] = [];
  const moved: store.MovedHost[] = [];
  for (const { line, stored } of hosts) {
    const { domain, level, isExempt } = verdicts.get(stored.host) as Verdict;
    const { backlinks, domain: oldDomain, riskLevel: oldLevel } = stored;
    if (domain === oldDomain && level === oldLevel) continue;
    lines.push([line, formatHost({ ...stored, domain, riskLevel: level })]);
    const isKept = domain !== undefined && level !== undefined && hasDecision(body, domain, level);
    moved.push({ websiteId, backlinks, oldDomain, oldLevel, domain, level, isExempt, isKept });
  }
  return { websiteId, bucket, body: replaceLines(body, lines), hosts: moved };
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

/** The listed name that decides about a host now, and its risk. */
interface Verdict {
  domain: string | undefined;
  level: number | undefined;
  /** Whether an allow rule is the reason why none decides. */
  isExempt: boolean;
}

/** Hosts whose verdicts are remembered: many websites have the same ones. */
const maxVerdicts = 100_000;

/** Returns a function that judges hosts, each once. */
function createJudge(db: Db) {
  const verdicts = new Map<string, Verdict>();
  return async (hosts: readonly string[]): Promise<ReadonlyMap<string, Verdict>> => {
    if (verdicts.size > maxVerdicts) verdicts.clear();
    const unknown = [...new Set(hosts)].filter((host) => !verdicts.has(host));
    for (let start = 0; start < unknown.length; start += hostsPerQuery) {
      await judgeHosts(db, unknown.slice(start, start + hostsPerQuery), verdicts);
    }
    return verdicts;
  };
}

/** Looks up the listed names that decide about hosts now. */
async function judgeHosts(db: Db, hosts: readonly string[], verdicts: Map<string, Verdict>): Promise<void> {
  const names = hosts.map(lookupNames);
  const listed = await findListedNames(db, [...new Set(names.flat())].join('\n'));
  for (const [i, host] of hosts.entries()) {
    const domain = findCoveringName(host, listed);
    const isExempt = domain === undefined && (names[i] ?? []).some((name) => listed.get(name));
    verdicts.set(host, { domain, level: domain === undefined ? undefined : listed.get(domain), isExempt });
  }
}
