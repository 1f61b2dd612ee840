import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import type { UploadQuestion } from '#shared/reports/backlinks.ts';
import { findListedNames } from '../../blacklist/domains/domains.ts';
import { findCoveringName, lookupNames } from '../../hostnames/coverage/coverage.ts';
import type { StoredFile } from '../../platform/archives/archives.ts';
import { inCopyTransaction } from '../../platform/db/copy.ts';
import type { Db } from '../../platform/db/database.ts';
import { completeRun } from '../../platform/jobs/runs.ts';
import type { ProcessContext } from '../../platform/processes/run-in-process.ts';
import { countHosts, findQuestion, type HostCounts } from '../backlink-files/backlink-files.ts';
import type { UploadAnswers } from '../backlink-files/open-tables.ts';
import { createReport } from '../reports/create-report.ts';
import type { HostDomains } from '../signals/shared-values.ts';
import { createSignals } from '../signals/signals.ts';
import { getDatabaseTime } from '../watch/queries.ts';
import { type ExportedHost, storeHosts } from '../watch/watch.ts';
import { type BacklinkCounts, buildCopyLines, createLinkFacts, createPageSpool } from './page-spool.ts';
import { queueReportEvent } from './queue-report-event.ts';

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
  /**
   * About how long the only file will be, if it is still being written. The signal `complete` aborts when all of it is
   * there, and `stored` when the analysis is stored: nothing is written to the database before.
   */
  expectedBytes?: number;
}

/** Reading takes about this share of an analysis; writing takes the rest. */
const readingPercent = 80;

/**
 * Reads the files of an upload, looks their hosts up in the blacklist while reading, and writes the report. One
 * transaction stores the report and completes the analysis. Runs in a process of its own.
 * @returns a question that the user must answer first, if there is one; then nothing is stored
 * @throws UnreadableFile, and any database error
 */
export async function analyzeFiles(
  { db, pool, signals: { complete, stored }, onProgress }: ProcessContext<{ progress: number; message: string }>,
  { id, files, folder, fileName, profileId, ownHost, column, answers, ask, expectedBytes }: AnalysisTask,
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
  const since = await getDatabaseTime(db);
  const lookup = createLookup(db);
  const signals = createSignals(ownHost);
  const growing = complete && expectedBytes !== undefined ? { complete, expectedBytes } : undefined;
  const counts = await countHosts(growing ? files.map((file) => ({ ...file, growing })) : files, {
    ownHost,
    folder,
    column: column ?? undefined,
    answers,
    ask,
    onRow(host, record, flags) {
      if (!lookup.isKnownUnlisted(host)) pages.add(host, record, flags);
    },
    readSignals: signals.openTable,
    onHosts: lookup.add,
    onProgress: onReadProgress,
  }).catch((error: unknown) => {
    const question = findQuestion(error);
    if (question === undefined) throw error;
    return question;
  });
  if ('about' in counts) return counts;
  const { covering, risks, domains } = await lookup.finish();
  const patterns = signals.finish(domains);
  const report = { profileId, fileName, ...countBacklinks(counts, domains), signals: patterns.signals };
  const matches = matchHosts(counts, covering, domains);
  if (stored && !stored.aborted) await once(stored, 'abort');
  onWriteProgress(0);
  await inCopyTransaction(pool, async (trx, copyFrom) => {
    const reportId = await createReport(trx, copyFrom, report, {
      ...matches,
      select(names) {
        const { positions, counts, ...toxicDomains } = matches.select(names);
        const facts = createLinkFacts(names.length);
        for (const [host, position] of positions.entries()) {
          if (position >= 0) facts.signals[position] = (facts.signals[position] ?? 0) | (patterns.byHost[host] ?? 0);
        }
        return {
          ...toxicDomains,
          facts,
          lines: (reportId) =>
            buildCopyLines(pages, positions, { counts, facts, reportId, onProgress: onWriteProgress }),
        };
      },
    });
    await storeHosts(trx, copyFrom, {
      profileId,
      reportId,
      since,
      hosts: toExportedHosts(counts, domains, covering, risks),
    });
    await queueReportEvent(trx, profileId, reportId);
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
  { byHost, names }: HostDomains,
) {
  const all = { totalBacklinks: backlinks, nofollowBacklinks, totalDomains: hosts.length, uniqueDomains: names.length };
  const common = { formats, ignoredTables, lostBacklinks };
  if (!lostRows) return { ...common, counts: all, countsIncludingLost: null };
  const domains = new Set<number>();
  let totalDomains = 0;
  for (let number = 0; number < hosts.length; number += 1) {
    if (rows[number] === lostRows[number]) continue;
    totalDomains += 1;
    domains.add(byHost[number] as number);
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
        if (name !== undefined) covering.set(lookedUp, name);
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
    /** Whether a host has been looked up and is not listed, so that its links are not needed. */
    isKnownUnlisted: (host: number): boolean => host < lookedUp && !covering.has(host),
    /**
     * @returns the listed name that covers a host, by the host's number, the risks of listed names, and the distinct
     *   registrable domains of the hosts. A host that is a public suffix or the root of a shared host counts as one
     *   domain: such a site can link too, and without it the share of toxic domains would be too high.
     */
    async finish(): Promise<{
      covering: ReadonlyMap<number, string>;
      risks: ReadonlyMap<string, number>;
      domains: HostDomains;
    }> {
      query();
      await queries;
      return { covering, risks: listed, domains: { byHost, names: [...numbers.keys()] } };
    },
  };
}

/** Yields every host of the upload, to watch it. */
function* toExportedHosts(
  { hosts, rows, lostRows }: HostCounts,
  { byHost, names }: HostDomains,
  covering: ReadonlyMap<number, string>,
  risks: ReadonlyMap<string, number>,
): Generator<ExportedHost> {
  for (const [number, host] of hosts.entries()) {
    const domain = covering.get(number);
    yield {
      host,
      site: names[byHost[number] as number] as string,
      backlinks: (rows[number] as number) - (lostRows?.[number] ?? 0),
      domain,
      riskLevel: domain === undefined ? undefined : risks.get(domain),
    };
  }
}

/**
 * Counts the backlinks of the listed names that cover hosts.
 * @returns the names that cover a host with their numbers of backlinks, and `select`, which takes the names that go
 *   into the report in the order of their positions and returns the position for each host number (-1 for a host that
 *   is not covered)
 */
function matchHosts(
  { hosts, rows, lostRows }: HostCounts,
  covering: ReadonlyMap<number, string>,
  { byHost }: HostDomains,
) {
  const covered: { number: number; name: string; isLost: boolean }[] = [];
  const countsByName = new Map<string, BacklinkCounts>();
  for (const [number, name] of covering) {
    const all = rows[number] ?? 0;
    const lost = lostRows?.[number] ?? 0;
    covered.push({ number, name, isLost: lost === all });
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
      const domains = new Set<number>();
      const domainsIncludingLost = new Set<number>();
      for (const { number, name, isLost } of covered) {
        const position = positionByName.get(name);
        if (position === undefined) continue;
        positions[number] = position;
        const domain = byHost[number] as number;
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
