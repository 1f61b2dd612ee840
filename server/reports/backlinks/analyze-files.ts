import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { UploadQuestion } from '#shared/reports/backlinks.ts';
import { minDomainsForPercentage } from '#shared/reports/reports.ts';
import { queueWebhookEvents } from '../../accounts/webhooks/webhooks.ts';
import { createSubdomainCounter } from '../../blacklist/guard/shared-hosts.ts';
import { inCopyTransaction } from '../../platform/db/copy.ts';
import type { Db } from '../../platform/db/database.ts';
import { completeRun } from '../../platform/jobs/runs.ts';
import type { ProcessContext } from '../../platform/processes/run-in-process.ts';
import { findQuestion, type HostCounts, readBacklinks } from '../backlink-files/backlink-files.ts';
import { createPageSpool } from '../backlink-files/page-spool.ts';
import { createReport } from '../reports/create-report.ts';
import type { CoveringName } from '../reports/link-blocks.ts';
import { getSummary } from '../reports/summaries.ts';
import type { HostDomains } from '../signals/shared-values.ts';
import { createSignals } from '../signals/signals.ts';
import type { ExportedHost } from '../watch/host-blocks.ts';
import { storeHosts } from '../watch/hosts.ts';
import { getDatabaseTime } from '../watch/queries.ts';
import { createLookup, type Lookup } from './host-lookup.ts';
import { type AnalysisTask, lockOwner } from './store.ts';

type AnalysisProcess = ProcessContext<{ progress: number; message: string }>;

/** An analysis, with the files of this machine. */
interface LocatedTask {
  task: AnalysisTask;
  /** Where temporary files are written. */
  folder: string;
}

/** The upload that this process reads while it arrives. */
let readingAhead:
  | { task: AnalysisTask; complete: AbortController; onProgress(share: number): void; upload: Promise<ReadUpload> }
  | undefined;

/**
 * Starts to read the only file of an upload while it arrives, so that `analyzeFiles` finds it read. Writes nothing to
 * the database.
 * @param expectedBytes about how long the file will be
 */
export async function readAhead(
  { db }: ProcessContext<never>,
  { task, folder, expectedBytes }: LocatedTask & { expectedBytes: number },
): Promise<void> {
  const complete = new AbortController();
  const growing = { complete: complete.signal, expectedBytes };
  const files = task.files.map((file) => ({ ...file, growing }));
  const upload = readUpload(db, { task: { ...task, files }, folder }, (share) => readingAhead?.onProgress(share));
  // `analyzeFiles` throws the error. This handler only prevents an unhandled rejection.
  upload.catch(() => undefined);
  readingAhead = { task, complete, onProgress: () => undefined, upload };
}

/** @throws if this process reads another task ahead, and errors of `readUpload` */
async function finishReading(
  { task, complete, upload }: NonNullable<typeof readingAhead>,
  wanted: AnalysisTask,
): Promise<ReadUpload> {
  const toInput = ({ ownHost, column, ask, answers, files }: AnalysisTask) =>
    [ownHost, column, ask, answers, files.map(({ name }) => name)] as const;
  if (!isDeepStrictEqual(toInput(task), toInput(wanted))) throw new Error('The upload was read as another one.');
  complete.abort();
  return upload;
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
  { db, pool, onProgress }: AnalysisProcess,
  { task, folder }: LocatedTask,
): Promise<UploadQuestion | undefined> {
  const onRead = (share: number) =>
    onProgress({ progress: Math.floor(readingPercent * share), message: 'Reading the file' });
  const onWritten = (share: number) =>
    onProgress({
      progress: readingPercent + Math.floor((99 - readingPercent) * share),
      message: 'Writing the report',
    });
  onProgress({ progress: 0, message: 'Opening the files' });
  let upload: ReadUpload;
  try {
    if (readingAhead) readingAhead.onProgress = onRead;
    upload = await (readingAhead ? finishReading(readingAhead, task) : readUpload(db, { task, folder }, onRead));
  } catch (error) {
    const question = findQuestion(error);
    if (question === undefined) throw error;
    return question;
  }
  const { since, counts, pages, lookup, patterns } = upload;
  const { names, nameByHost } = matchHosts(counts, lookup, patterns.byHost);
  function* readLinks() {
    const total = names.reduce((sum, { backlinks, lostBacklinks }) => sum + backlinks + lostBacklinks, 0);
    let links = 0;
    for (const batch of pages.read(nameByHost)) {
      links += batch.length;
      onWritten(links / total);
      yield batch;
    }
  }
  const { id, websiteId, fileName } = task;
  const report = { websiteId, fileName, ...countBacklinks(counts, lookup.domains), signals: patterns.signals, names };
  onWritten(0);
  await inCopyTransaction(pool, async (trx, copyFrom) => {
    const reportId = await createReport(trx, copyFrom, report, readLinks());
    const subdomains = createSubdomainCounter();
    const hosts = [...subdomains.count(toExportedHosts(counts, lookup))];
    await storeHosts(trx, { websiteId, reportId, since, hosts });
    await subdomains.suggest(trx, { userId: await lockOwner(trx, websiteId), now: new Date() });
    await queueReportEvent(trx, websiteId, reportId);
    await completeRun(trx, 'analyses', id, { message: 'Analysis complete', report_id: reportId });
  });
  return undefined;
}

type ReadUpload = Awaited<ReturnType<typeof readUpload>>;

/**
 * Reads the files of an upload, and looks their hosts up.
 * @throws UnreadableFile, an error for `findQuestion`, and any database error
 */
async function readUpload(
  db: Db,
  { task: { files, ownHost, column, answers, ask }, folder }: LocatedTask,
  onProgress: (share: number) => void,
) {
  const pages = createPageSpool(join(folder, randomUUID()));
  const since = await getDatabaseTime(db);
  const hosts = createLookup(db, pages);
  const signals = createSignals(ownHost);
  const reading = readBacklinks(files, { ownHost, folder, column: column ?? undefined, answers, ask, pages, signals });
  let part = await reading.next();
  for (; !part.done; part = await reading.next()) {
    hosts.add(part.value.newHosts);
    onProgress(part.value.share);
  }
  const lookup = await hosts.finish();
  return { since, counts: part.value, pages, lookup, patterns: signals.finish(lookup.domains) };
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

/** Yields every host of the upload, to watch it. */
function* toExportedHosts(
  { hosts, rows, lostRows }: HostCounts,
  { covering, risks, domains: { byHost, names } }: Lookup,
): Generator<ExportedHost> {
  for (const [number, host] of hosts.entries()) {
    const domain = covering.get(number);
    yield {
      host,
      registrableDomain: names[byHost[number] as number] as string,
      backlinks: (rows[number] as number) - (lostRows?.[number] ?? 0),
      domain,
      riskLevel: domain === undefined ? undefined : risks.get(domain),
    };
  }
}

/**
 * Sums up the hosts that each listed name covers. They all have the same registrable domain.
 * @param signals the bits of the signals by the number of the host
 * @returns the names, and for each number of a host, the number of the name that covers it, or -1
 */
function matchHosts(
  { hosts, rows, lostRows }: HostCounts,
  { covering, domains: { byHost } }: Lookup,
  signals: ArrayLike<number>,
) {
  const nameByHost = new Int32Array(hosts.length).fill(-1);
  const numbers = new Map<string, number>();
  const names: CoveringName[] = [];
  for (const [host, name] of covering) {
    const number = numbers.get(name) ?? names.length;
    if (number === names.length) {
      numbers.set(name, number);
      names.push({ name, domain: byHost[host] as number, backlinks: 0, lostBacklinks: 0, signals: 0 });
    }
    nameByHost[host] = number;
    const lost = lostRows?.[host] ?? 0;
    const sums = names[number] as CoveringName;
    sums.backlinks += (rows[host] ?? 0) - lost;
    sums.lostBacklinks += lost;
    sums.signals |= signals[host] ?? 0;
  }
  return { names, nameByHost };
}

/** Queues the event of a new report for the webhooks of its owner, in the transaction that creates it. */
async function queueReportEvent(trx: Db, websiteId: number, reportId: number): Promise<void> {
  const userId = await lockOwner(trx, websiteId);
  // The website of a deleted account has no owner.
  if (userId === null) return;
  const report = await getSummary(trx, userId, reportId);
  const { domain: website, totalBacklinks, uniqueDomains, toxicDomains, toxicityRating } = report;
  const toxicityPercentage = uniqueDomains < minDomainsForPercentage ? null : report.toxicityPercentage;
  const counts = { totalBacklinks, uniqueDomains, toxicDomains, toxicityPercentage, toxicityRating };
  const data = { reportId, profileId: websiteId, website, ...counts, url: `/reports/${reportId}` };
  await queueWebhookEvents(trx, [{ type: 'report.completed', userId, data }], new Date());
}
