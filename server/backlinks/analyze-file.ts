import { randomUUID } from 'node:crypto';
import { countHosts } from '../backlink-files/backlink-files.ts';
import { inCopyTransaction } from '../db/copy.ts';
import type { Db } from '../db/database.ts';
import { findListedNames } from '../domains/domains.ts';
import { findCoveringName, lookupNames, registrableDomain } from '../hosts/hosts.ts';
import type { ThreadContext } from '../jobs/run-in-thread.ts';
import { completeRun } from '../jobs/runs.ts';
import { createReport } from '../reports/reports.ts';
import { buildCopyLines, createPageSpool } from './page-spool.ts';

export interface AnalysisTask {
  id: string;
  path: string;
  fileName: string;
  profileId: number;
  /** The host of the website that the backlinks point to. */
  ownHost: string;
}

/** Reading takes about this share of an analysis; writing takes the rest. */
const readingPercent = 80;

/**
 * Reads a backlink file, looks its hosts up in the blacklist while reading, and writes the report. One transaction
 * stores the report and completes the analysis. Runs in a thread.
 * @throws UnreadableFile, and any database error
 */
export async function analyzeFile(
  { db, pool, onProgress }: ThreadContext<{ progress: number; message: string }>,
  { id, path, fileName, profileId, ownHost }: AnalysisTask,
): Promise<void> {
  const onReadProgress = (share: number) =>
    onProgress({ progress: Math.floor(readingPercent * share), message: 'Reading the file' });
  const onWriteProgress = (share: number) =>
    onProgress({
      progress: readingPercent + Math.floor((99 - readingPercent) * share),
      message: 'Writing the report',
    });
  const pages = createPageSpool(`${path}.${randomUUID()}`);
  const lookup = createLookup(db);
  const { format, skipped, backlinks, hosts } = await countHosts(path, {
    ownHost,
    onRow: pages.add,
    onHosts: lookup.add,
    onProgress: (bytesRead, totalBytes) => onReadProgress(bytesRead / totalBytes),
  });
  const { listed, uniqueDomains } = await lookup.finish();
  const report = {
    profileId,
    fileName,
    format,
    skipped,
    totalBacklinks: backlinks,
    totalDomains: hosts.size,
    uniqueDomains,
  };
  const matches = matchHosts(hosts, listed);
  // Frees the largest object in memory.
  hosts.clear();
  onWriteProgress(0);
  await inCopyTransaction(pool, async (trx, copyFrom) => {
    const reportId = await createReport(trx, copyFrom, report, {
      ...matches,
      select(names) {
        const { toxicDomains, positions, counts } = matches.select(names);
        return {
          toxicDomains,
          lines: (reportId) => buildCopyLines(pages, positions, counts, reportId, onWriteProgress),
        };
      },
    });
    await completeRun(trx, 'analyses', id, { message: 'Analysis complete', report_id: reportId });
  });
}

const namesPerQuery = 20_000;

/** Looks up hosts and their parent domains in batches, one query at a time, while more hosts are read. */
function createLookup(db: Db) {
  const listed = new Set<string>();
  /** Parent domains of the hosts, up to their registrable domains. */
  const parents = new Set<string>();
  /** How many of `parents` are registrable domains. */
  let domains = 0;
  /** Hosts without a parent domain: registrable domains, public suffixes and roots of shared hosts. */
  const hostsWithoutParent: string[] = [];
  let names: string[] = [];
  let queries = Promise.resolve();

  function query(): void {
    const batch = names.join('\n');
    names = [];
    queries = queries.then(async () => {
      for (const name of (await findListedNames(db, batch)).split('\n')) listed.add(name);
    });
    // `finish` throws the error. This handler only prevents an unhandled rejection.
    queries.catch(() => undefined);
  }

  return {
    add(hosts: readonly string[]): void {
      for (const host of hosts) {
        const hostParents = lookupNames(host).slice(1);
        const registrable = hostParents.at(-1);
        names.push(host);
        if (registrable === undefined) hostsWithoutParent.push(host);
        for (const parent of hostParents) {
          if (parents.has(parent)) continue;
          parents.add(parent);
          names.push(parent);
          if (parent === registrable) domains += 1;
        }
      }
      if (names.length >= namesPerQuery) query();
    },
    /**
     * @returns the listed names, and the number of distinct registrable domains. A host that is a public suffix or the
     *   root of a shared host counts as one domain: such a site can link too, and without it the share of toxic domains
     *   would be too high.
     */
    async finish(): Promise<{ listed: ReadonlySet<string>; uniqueDomains: number }> {
      query();
      await queries;
      return { listed, uniqueDomains: domains + hostsWithoutParent.filter((host) => !parents.has(host)).length };
    },
  };
}

/**
 * Finds the listed name that covers each host.
 * @param hosts the number of backlinks by host; a host's number is its position
 * @returns the names that cover a host with their numbers of backlinks, and `select`, which takes the names that go
 *   into the report in the order of their positions and returns the position for each host number (-1 for a host that
 *   is not covered)
 */
function matchHosts(hosts: ReadonlyMap<string, number>, listed: ReadonlySet<string>) {
  const covered: { number: number; host: string; name: string }[] = [];
  const backlinksByName = new Map<string, number>();
  let number = 0;
  for (const [host, backlinks] of hosts) {
    const name = findCoveringName(host, listed);
    if (name !== undefined) {
      covered.push({ number, host, name });
      backlinksByName.set(name, (backlinksByName.get(name) ?? 0) + backlinks);
    }
    number += 1;
  }
  return {
    names: [...backlinksByName.keys()],
    counts: [...backlinksByName.values()],
    select(names: readonly string[]) {
      const positionByName = new Map(names.map((name, position) => [name, position]));
      const positions = new Int32Array(number).fill(-1);
      const domains = new Set<string>();
      for (const { number, host, name } of covered) {
        const position = positionByName.get(name);
        if (position === undefined) continue;
        positions[number] = position;
        domains.add(registrableDomain(host) ?? host);
      }
      return { toxicDomains: domains.size, positions, counts: names.map((name) => backlinksByName.get(name) ?? 0) };
    },
  };
}
