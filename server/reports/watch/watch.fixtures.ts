import type { Alert } from '#shared/reports/alerts.ts';
import type { Db } from '../../platform/db/database.ts';
import type { TestApp } from '../../test-app.fixtures.ts';
import { analyzeStoredFiles } from '../backlinks/backlinks.ts';
import type { WatchedHost } from './host-blocks.ts';
import { readHosts } from './hosts.ts';
import { matchChanges } from './match-changes.ts';

export interface WatchedWebsite {
  /** The session cookie of its owner. */
  as: string;
  userId: number;
  websiteId: number;
  domain: string;
}

export type Level = 'low' | 'medium' | 'high' | 'very high';

/** Returns the stored hosts of a website, by name. */
export async function listWatchedHosts(db: Db, websiteId: number): Promise<WatchedHost[]> {
  const hosts: WatchedHost[] = [];
  for await (const page of readHosts(db, websiteId)) hosts.push(...page);
  return hosts.sort((a, b) => (a.host < b.host ? -1 : 1));
}

let websites = 0;

/** Helpers for tests of watched websites on a test app without a worker. */
export function buildWatchCalls({ call, context, signUp }: TestApp) {
  /** Creates a website of a new user, and analyzes an export with these links. */
  async function createWebsite(links: readonly string[]): Promise<WatchedWebsite> {
    const { cookie: as, id: userId } = await signUp();
    websites += 1;
    const body = { domain: `watched${websites}-${process.pid}.example` };
    const { id: websiteId, domain } = (await call('POST', '/api/profiles', { as, body })).json();
    const website = { as, userId, websiteId, domain };
    await analyze(website, links);
    return website;
  }

  /** Analyzes an export with these links. @returns the id of the report */
  async function analyze({ userId, websiteId }: WatchedWebsite, links: readonly string[]): Promise<number> {
    const stored = await context.files.save(`url\n${links.join('\n')}\n`);
    return await analyzeStoredFiles(context, { userId, websiteId, files: [{ ...stored, name: 'export.csv' }] });
  }

  let admin: Promise<{ cookie: string }> | undefined;

  /** Changes the blacklist as an admin does: lists a domain, changes its level, or delists it. */
  async function setLevel(domain: string, riskLevel: Level | undefined, source = 'fiverr'): Promise<void> {
    admin ??= signUp({ admin: true });
    const { cookie: as } = await admin;
    const { domains } = (await call('GET', `/api/domains?search=${domain}&pageSize=100`, { as })).json();
    const id = domains.find((row: { domain: string }) => row.domain === domain)?.id;
    const body = { domain, source, riskLevel };
    const response = riskLevel
      ? await call(id ? 'PUT' : 'POST', id ? `/api/domains/${id}` : '/api/domains', { as, body })
      : await call('DELETE', `/api/domains/${id}`, { as });
    if (response.statusCode >= 300) throw new Error(response.body);
  }

  /** Matches all changes of the blacklist. @returns the number of alerts */
  const match = () => matchChanges(context, { now: context.now() });

  /** Returns all alerts of a website, as `listed seller.com: none to high`. */
  async function listAlerts({ as, websiteId }: WatchedWebsite): Promise<string[]> {
    const { alerts } = (await call('GET', `/api/alerts?profileId=${websiteId}&pageSize=100`, { as })).json();
    return alerts.map(
      ({ event, domain, from, to }: Alert) => `${event} ${domain}: ${from ?? 'none'} to ${to ?? 'none'}`,
    );
  }

  const updateWatch = ({ as, websiteId }: WatchedWebsite, body: object) =>
    call('PUT', `/api/profiles/${websiteId}/watch`, { as, body });

  return { createWebsite, analyze, setLevel, match, listAlerts, updateWatch };
}
