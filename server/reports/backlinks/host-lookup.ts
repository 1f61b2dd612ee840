import { findListedNames } from '../../blacklist/domains/domains.ts';
import { findCoveringName, lookupNames } from '../../hostnames/coverage/coverage.ts';
import type { Db } from '../../platform/db/database.ts';
import type { PageSpool } from '../backlink-files/page-spool.ts';
import type { HostDomains } from '../signals/shared-values.ts';

const namesPerQuery = 20_000;

export interface Lookup {
  /** The listed name that covers a host, by the host's number. */
  covering: ReadonlyMap<number, string>;
  /** The risks of listed names. */
  risks: ReadonlyMap<string, number>;
  /**
   * The distinct registrable domains of the hosts. A host that is a public suffix or the root of a shared host counts
   * as one domain: such a site can link too, and without it the share of toxic domains would be too high.
   */
  domains: HostDomains;
}

/**
 * Looks up hosts and their parent domains in batches, one query at a time, while more hosts are read.
 * @param pages where the links of hosts that are not listed need not be stored
 */
export function createLookup(db: Db, pages: Pick<PageSpool, 'ignore'>) {
  const listed = new Map<string, number>();
  /** Parent domains of the hosts, up to their registrable domains. */
  const parents = new Set<string>();
  const numbers = new Map<string, number>();
  const byHost: number[] = [];
  /** The hosts of the next query, and with their parents, the names it looks up. */
  let waiting: string[] = [];
  let names: string[] = [];
  let queries = Promise.resolve();
  /**
   * The number of hosts that have been looked up, and the listed names that cover some of them by the host's number.
   */
  let lookedUp = 0;
  const covering = new Map<number, string>();

  function query(): void {
    const [hosts, batch] = [waiting, names.join('\n')];
    [waiting, names] = [[], []];
    queries = queries.then(async () => {
      for (const [name, risk] of await findListedNames(db, batch)) listed.set(name, risk);
      for (const host of hosts) {
        const name = findCoveringName(host, listed);
        if (name === undefined) pages.ignore(lookedUp);
        else covering.set(lookedUp, name);
        lookedUp += 1;
      }
    });
    // `finish` throws the error. This handler only prevents an unhandled rejection.
    queries.catch(() => undefined);
  }

  return {
    add(hosts: readonly string[]): void {
      for (const host of hosts) {
        const hostParents = lookupNames(host).slice(1);
        // A host without a parent is a registrable domain, a public suffix or the root of a shared host.
        const domain = hostParents.at(-1) ?? host;
        const number = numbers.get(domain) ?? numbers.size;
        if (number === numbers.size) numbers.set(domain, number);
        byHost.push(number);
        waiting.push(host);
        names.push(host);
        for (const parent of hostParents) {
          if (parents.has(parent)) continue;
          parents.add(parent);
          names.push(parent);
        }
      }
      if (names.length >= namesPerQuery) query();
    },
    async finish(): Promise<Lookup> {
      query();
      await queries;
      return { covering, risks: listed, domains: { byHost, names: [...numbers.keys()] } };
    },
  };
}
