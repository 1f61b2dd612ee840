import type { FastifyBaseLogger } from 'fastify';
import { registrableDomain, setAddedSharedHosts } from '../../hostnames/coverage/coverage.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Entry } from '../../platform/processes/run-in-process.ts';
import { findInstitutionEnding, wellKnownSites } from './guard.ts';
import { insertSuggestions, listSharedHosts } from './queries.ts';

/** How soon other processes know a shared host that an admin added. */
const pollMs = 10_000;

/** What each process runs before its work, so that it knows the shared hosts. */
export const loadSharedHostsEntry: Entry = { module: new URL(import.meta.url), name: 'loadSharedHosts' };

/** Loads the shared hosts that admins added, for this process. */
export async function loadSharedHosts({ db }: { db: Db }): Promise<void> {
  setAddedSharedHosts(await listSharedHosts(db));
}

/** Loads the shared hosts that admins added now and every few seconds. @returns a function that stops it */
export async function followSharedHosts(db: Db, log: FastifyBaseLogger): Promise<() => Promise<void>> {
  await loadSharedHosts({ db });
  const timer = setInterval(() => {
    loadSharedHosts({ db }).catch((error: unknown) => log.warn({ err: error }, 'the shared hosts could not be loaded'));
  }, pollMs).unref();
  return async () => clearInterval(timer);
}

/** An upload with this many subdomains of one domain suggests that they belong to different owners. */
const minSubdomains = 20;
/** Subdomains such as de.example.com and zh-tw.example.com are of one owner. */
const languageCode = /^[a-z]{2,3}(?:-[a-z]{2,4})?\./;
/** Most suggestions of one upload, those with the most subdomains. */
const maxSuggestions = 5;

interface SubdomainCounter {
  /** Passes hosts on, and counts those below their registrable domain. */
  count<Host extends { host: string; registrableDomain: string }>(hosts: Iterable<Host>): Generator<Host>;
  /**
   * Suggests to the admins the domains with many subdomains, except well-known sites and public institutions. Call it
   * in the transaction that stores the report.
   */
  suggest(trx: Db, upload: { userId: number | null; now: Date }): Promise<void>;
}

/** Finds the domains of which an upload has so many subdomains that they can belong to different owners. */
export function createSubdomainCounter(): SubdomainCounter {
  const counts = new Map<string, number>();
  return {
    *count(hosts) {
      for (const one of hosts) {
        const { host, registrableDomain: domain } = one;
        if (host !== domain && !languageCode.test(host)) counts.set(domain, (counts.get(domain) ?? 0) + 1);
        yield one;
      }
    },
    async suggest(trx, upload) {
      const many = [...counts]
        .filter(([domain, count]) => count >= minSubdomains && !isOneOwner(domain))
        .sort((a, b) => b[1] - a[1])
        .slice(0, maxSuggestions);
      const rows = many.map(([domain, count]) => ({
        domain,
        reason: `An upload contains ${count} of its subdomains.`,
      }));
      if (rows.length > 0) await insertSuggestions(trx, rows, upload);
    },
  };
}

const isOneOwner = (domain: string): boolean =>
  registrableDomain(domain) === undefined || wellKnownSites.has(domain) || findInstitutionEnding(domain) !== undefined;
