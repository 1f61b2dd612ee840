import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { UploadQuestion } from '#shared/backlinks.ts';
import type { StoredFile } from '../archives/archives.ts';
import { countHosts, findQuestion, type HostCounts, type UploadAnswers } from '../backlink-files/backlink-files.ts';
import { inCopyTransaction } from '../db/copy.ts';
import type { Db } from '../db/database.ts';
import { findListedNames } from '../domains/domains.ts';
import { findCoveringName, lookupNames, registrableDomain } from '../hosts/hosts.ts';
import type { ThreadContext } from '../jobs/run-in-thread.ts';
import { completeRun } from '../jobs/runs.ts';
import { createReport } from '../reports/reports.ts';
import { type BacklinkCounts, buildCopyLines, createLinkFacts, createPageSpool } from './page-spool.ts';

export interface AnalysisTask {
  id: string;
  files: readonly StoredFile[];
  /** Where temporary files are written. */
  folder: string;
  /** The name of the upload in the report. */
  fileName: string;
  profileId: number;
  /** The host of the website that the backlinks point to. */
  ownHost: string;
  /** The header name of the source column. Without it the column is detected. */
  column: string | null;
  answers: UploadAnswers;
  /** Return a question instead of using its most likely answer. */
  ask: boolean;
}

/** Reading takes about this share of an analysis; writing takes the rest. */
const readingPercent = 80;

/**
 * Reads the files of an upload, looks their hosts up in the blacklist while reading, and writes the report. One
 * transaction stores the report and completes the analysis. Runs in a thread.
 * @returns a question that the user must answer first, if there is one; then nothing is stored
 * @throws UnreadableFile, and any database error
 */
export async function analyzeFiles(
  { db, pool, onProgress }: ThreadContext<{ progress: number; message: string }>,
  { id, files, folder, fileName, profileId, ownHost, column, answers, ask }: AnalysisTask,
): Promise<UploadQuestion | undefined> {
  const onReadProgress = (share: number) =>
    onProgress({ progress: Math.floor(readingPercent * share), message: 'Reading the file' });
  const onWriteProgress = (share: number) =>
    onProgress({
      progress: readingPercent + Math.floor((99 - readingPercent) * share),
      message: 'Writing the report',
    });
  onProgress({ progress: 0, message: 'Opening the files' });
  const pages = createPageSpool(join(folder, randomUUID()));
  const lookup = createLookup(db);
  const counts = await countHosts(files, {
    ownHost,
    folder,
    column: column ?? undefined,
    answers,
    ask,
    onRow: pages.add,
    onHosts: lookup.add,
    onProgress: onReadProgress,
  }).catch((error: unknown) => {
    const question = findQuestion(error);
    if (question === undefined) throw error;
    return question;
  });
  if ('about' in counts) return counts;
  const { listed, uniqueDomains } = await lookup.finish();
  const report = { profileId, fileName, ...countBacklinks(counts, uniqueDomains) };
  const matches = matchHosts(counts, listed);
  onWriteProgress(0);
  await inCopyTransaction(pool, async (trx, copyFrom) => {
    const reportId = await createReport(trx, copyFrom, report, {
      ...matches,
      select(names) {
        const { positions, counts, ...toxicDomains } = matches.select(names);
        const facts = createLinkFacts(names.length);
        return {
          ...toxicDomains,
          facts,
          lines: (reportId) => buildCopyLines(pages, positions, counts, facts, reportId, onWriteProgress),
        };
      },
    });
    await completeRun(trx, 'analyses', id, { message: 'Analysis complete', report_id: reportId });
  });
  return undefined;
}

/** Returns the figures of a report that do not depend on the blacklist, without and with lost links. */
function countBacklinks(
  {
    formats,
    ignoredTables,
    backlinks,
    lostBacklinks,
    nofollowBacklinks,
    lostNofollowBacklinks,
    hosts,
    rows,
    lostRows,
  }: HostCounts,
  uniqueDomains: number,
) {
  const all = { totalBacklinks: backlinks, nofollowBacklinks, totalDomains: hosts.length, uniqueDomains };
  const common = { formats, ignoredTables, lostBacklinks };
  if (!lostRows) return { ...common, counts: all, countsIncludingLost: null };
  const domains = new Set<string>();
  let totalDomains = 0;
  for (const [number, host] of hosts.entries()) {
    if (rows[number] === lostRows[number]) continue;
    totalDomains += 1;
    domains.add(registrableDomain(host) ?? host);
  }
  const counts = {
    totalBacklinks: backlinks - lostBacklinks,
    nofollowBacklinks: nofollowBacklinks - lostNofollowBacklinks,
    totalDomains,
    uniqueDomains: domains.size,
  };
  return { ...common, counts, countsIncludingLost: all };
}

const namesPerQuery = 20_000;

/** Looks up hosts and their parent domains in batches, one query at a time, while more hosts are read. */
function createLookup(db: Db) {
  const listed = new Map<string, number>();
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
      for (const [name, risk] of await findListedNames(db, batch)) listed.set(name, risk);
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
     * @returns the risks for `findCoveringName`, and the number of distinct registrable domains. A host that is a public
     *   suffix or the root of a shared host counts as one domain: such a site can link too, and without it the share of
     *   toxic domains would be too high.
     */
    async finish(): Promise<{ listed: ReadonlyMap<string, number>; uniqueDomains: number }> {
      query();
      await queries;
      return { listed, uniqueDomains: domains + hostsWithoutParent.filter((host) => !parents.has(host)).length };
    },
  };
}

/**
 * Finds the listed name that covers each host.
 * @returns the names that cover a host with their numbers of backlinks, and `select`, which takes the names that go
 *   into the report in the order of their positions and returns the position for each host number (-1 for a host that
 *   is not covered)
 */
function matchHosts({ hosts, rows, lostRows }: HostCounts, listed: ReadonlyMap<string, number>) {
  const covered: { number: number; host: string; name: string; isLost: boolean }[] = [];
  const countsByName = new Map<string, BacklinkCounts>();
  for (const [number, host] of hosts.entries()) {
    const name = findCoveringName(host, listed);
    if (name === undefined) continue;
    const all = rows[number] ?? 0;
    const lost = lostRows?.[number] ?? 0;
    covered.push({ number, host, name, isLost: lost === all });
    const counts = countsByName.get(name) ?? { backlinks: 0, lostBacklinks: 0 };
    counts.backlinks += all - lost;
    counts.lostBacklinks += lost;
    countsByName.set(name, counts);
  }
  const allCounts = [...countsByName.values()];
  return {
    names: [...countsByName.keys()],
    backlinks: allCounts.map(({ backlinks }) => backlinks),
    lostBacklinks: allCounts.map(({ lostBacklinks }) => lostBacklinks),
    select(names: readonly string[]) {
      const positionByName = new Map(names.map((name, position) => [name, position]));
      const positions = new Int32Array(hosts.length).fill(-1);
      const domains = new Set<string>();
      const domainsIncludingLost = new Set<string>();
      for (const { number, host, name, isLost } of covered) {
        const position = positionByName.get(name);
        if (position === undefined) continue;
        positions[number] = position;
        const domain = registrableDomain(host) ?? host;
        domainsIncludingLost.add(domain);
        if (!isLost) domains.add(domain);
      }
      return {
        toxicDomains: domains.size,
        toxicDomainsIncludingLost: domainsIncludingLost.size,
        positions,
        counts: names.map((name) => countsByName.get(name) ?? { backlinks: 0, lostBacklinks: 0 }),
      };
    },
  };
}
