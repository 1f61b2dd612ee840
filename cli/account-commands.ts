import { randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { uploadHeaders } from '#shared/platform/uploads.ts';
import { maxDecidedDomains } from '#shared/reports/decisions.ts';
import {
  getAnalysisWithKey,
  getReportWithKey,
  getUploadWithKey,
  type KeyToxicDomain,
  listReportsWithKey,
  listToxicDomainsWithKey,
  startAnalysisWithKey,
} from '#shared/reports/key-reports.ts';
import {
  createWebsiteWithKey,
  decideWithKey,
  downloadDisavowWithKey,
  type KeyAlert,
  listAlertsWithKey,
  listWebsitesWithKey,
} from '#shared/reports/key-websites.ts';
import { type AccountOptions, accountHelp, readAccountOptions } from './account-options.ts';
import { type Api, CommandError, callApi, RetryableError, type RetryOptions, toOneLine, withRetry } from './api.ts';
import { toFileError, UsageError } from './options.ts';
import { createProgress, formatCount, type Progress } from './progress.ts';
import type { Stops } from './run-command.ts';
import { formatTable } from './table.ts';

const { stdout, stderr } = process;

/** A command with what it needs. */
interface Run extends AccountOptions {
  retry: RetryOptions;
  progress: Progress;
  stop: AbortSignal;
}

/** A command of the account. @returns whether there is something that --fail-on-new asks for */
type AccountCommand = (run: Run) => Promise<boolean>;

const foundNew = 3;

/** @returns the exit code, see `accountHelp` */
export async function runAccountCommand(
  command: AccountCommand,
  args: string[],
  environment: NodeJS.ProcessEnv,
  { stop, stopNow }: Stops,
): Promise<number> {
  const options = readAccountOptions(args, environment, stopNow);
  if (options === 'help') {
    stdout.write(accountHelp);
    return 0;
  }
  const progress = createProgress(stderr, options.quiet);
  const pause: RetryOptions['pause'] = (seconds, sentence) => progress.wait(seconds, sentence, stop);
  const retry = { wait: true, tries: options.tries, signal: stop, pause };
  return (await command({ ...options, retry, progress, stop })) && options.failOnNew ? foundNew : 0;
}

/** Uploads exports as one analysis, waits for its end, and prints the report. */
export async function upload(run: Run): Promise<boolean> {
  const { progress, add, words } = run;
  const [website, ...files] = words;
  if (files.length === 0) throw new UsageError('Specify a website and at least one file.');
  const { id: websiteId } = await getWebsite(run, website, { add });
  const exports = files.map(async (file) => {
    const content = await openAsBlob(file).catch((error) => {
      throw toFileError(file, error, UsageError);
    });
    return new File([content], basename(file));
  });
  const id = await startAnalysis(run, websiteId, await Promise.all(exports));
  const reportId = await waitForReport(run, id);
  progress.print(`The analysis of ${formatCount(files.length, 'file')} is finished.`);
  return await printReport(run, reportId);
}

/** Sends exports, and after a lost connection only the rest of them. @returns the id of the analysis */
async function startAnalysis({ api, retry, column }: Run, websiteId: number, files: readonly File[]): Promise<string> {
  const id = randomUUID();
  const slowApi: Api = { ...api, timeoutMs: maxUploadMs };
  const send = async (received: readonly number[]) => {
    const form = new FormData();
    if (column !== undefined) form.set('column', column);
    for (const [i, file] of files.entries()) form.append('file', file.slice(received[i] ?? 0), file.name);
    const offset = received.reduce((sum, bytes) => sum + bytes, 0);
    const headers = { [uploadHeaders.id]: id, [uploadHeaders.offset]: String(offset) };
    await callApi(slowApi, startAnalysisWithKey, { params: { id: websiteId }, form, headers });
  };
  let isFirst = true;
  await withRetry(async () => {
    const received = isFirst ? [] : await findReceived(api, id);
    isFirst = false;
    if (received) await send(received).catch(retryConflict);
  }, retry);
  return id;
}

/** @returns how many bytes of each file have arrived; undefined if the analysis has started */
async function findReceived(api: Api, id: string): Promise<readonly number[] | undefined> {
  const input = { params: { id } };
  if (await callApi(api, getAnalysisWithKey, input).catch(orMissing)) return undefined;
  const found = await callApi(api, getUploadWithKey, input).catch(retryConflict).catch(orMissing);
  return found?.body.received ?? [];
}

/** The server has not noticed yet that the connection was lost, or that the upload is complete. */
function retryConflict(error: unknown): never {
  if (!(error instanceof CommandError) || error.cause?.status !== 409) throw error;
  throw new RetryableError(error.message, { cause: error.cause });
}

function orMissing(error: unknown): undefined {
  if (!(error instanceof CommandError) || error.cause?.status !== 404) throw error;
}

const maxUploadMs = 30 * 60_000;
const pollMs = 1000;

async function waitForReport({ api, retry, progress, stop }: Run, id: string): Promise<number> {
  for (let last = ''; ; ) {
    const { body } = await withRetry(() => callApi(api, getAnalysisWithKey, { params: { id } }), retry);
    const { status, message, question, reportId } = body;
    if (status === 'completed' && reportId !== undefined) return reportId;
    if (question) {
      const advice = question.about === 'column' ? `Use --column with one of: ${question.columns.join(', ')}.` : '';
      throw new CommandError(toOneLine(`${question.file}: ${message} ${advice}`));
    }
    if (status !== 'processing') throw new CommandError(toOneLine(message));
    if (message !== last) progress.print(toOneLine(message));
    last = message;
    await delay(pollMs, undefined, { signal: stop });
  }
}

/** Prints the newest report of a website. */
export async function report(run: Run): Promise<boolean> {
  const { id } = await getOnlyWebsite(run);
  const { api, retry } = run;
  const reports = await withRetry(
    () => callApi(api, listReportsWithKey, { params: { id }, query: { limit: 1 } }),
    retry,
  );
  const [newest] = reports.body.data;
  if (!newest) throw new CommandError('The website has no report yet. Use upload first.');
  return await printReport(run, newest.id);
}

/** @returns whether there are toxic domains that the report before did not have */
async function printReport({ api, retry, progress, json }: Run, id: number): Promise<boolean> {
  const { body: figures } = await withRetry(() => callApi(api, getReportWithKey, { params: { id } }), retry);
  const domains = await readPages((cursor) =>
    withRetry(() => callApi(api, listToxicDomainsWithKey, { params: { id }, query: { limit: 100, cursor } }), retry),
  );
  const added = domains.filter(({ isNew }) => isNew);
  if (json) printJson({ report: figures, domains });
  else stdout.write(formatTable(['DOMAIN', 'RISK', 'CONFIDENCE', 'LINKS', 'NEW', 'DECISION'], domains.map(toCells)));
  const { domain, toxicityRating, totalBacklinks, toxicDomains } = figures;
  progress.print(
    `${domain}: ${formatCount(toxicDomains, 'toxic domain')}, ${added.length} of them new, among ${formatCount(totalBacklinks, 'backlink')}. Toxicity: ${toxicityRating}.`,
  );
  return added.length > 0;
}

const toCells = ({ domain, riskLevel, confidence, backlinks, isNew, decision }: KeyToxicDomain) => [
  domain,
  riskLevel,
  confidence,
  String(backlinks),
  isNew ? 'new' : '',
  decision,
];

/** Disavows domains, and prints the disavow file of a website. */
export async function disavow(run: Run): Promise<boolean> {
  const [website, ...domains] = run.words;
  if (website === undefined) throw new UsageError(oneWebsiteMessage);
  const { id } = await getWebsite(run, website);
  for (let at = 0; at < domains.length; at += maxDecidedDomains) {
    const decisions = domains.slice(at, at + maxDecidedDomains).map((domain) => ({ domain, decision: 'disavow' }));
    await withRetry(() => callApi(run.api, decideWithKey, { params: { id }, body: { decisions } }), run.retry);
  }
  const { text } = await withRetry(() => callApi(run.api, downloadDisavowWithKey, { params: { id } }), run.retry);
  stdout.write(text);
  return false;
}

/** Prints the alerts since a time. @returns whether domains were listed or got a higher risk */
export async function watch({ api, retry, progress, json, since, words }: Run): Promise<boolean> {
  if (words.length > 0) throw new UsageError('watch is about all websites: specify none.');
  const alerts = await readPages((cursor) =>
    withRetry(() => callApi(api, listAlertsWithKey, { query: { limit: 100, since, cursor } }), retry),
  );
  const header = ['TIME', 'WEBSITE', 'DOMAIN', 'EVENT', 'FROM', 'TO', 'LINKS'];
  if (json) printJson(alerts);
  else stdout.write(formatTable(header, alerts.map(toAlertCells)));
  progress.print(`${formatCount(alerts.length, 'alert')} since ${since}.`);
  return alerts.some(({ event }) => event === 'listed' || event === 'raised');
}

const toAlertCells = ({ at, website, domain, event, from, to, backlinks }: KeyAlert) => [
  at,
  website,
  domain,
  event,
  from,
  to,
  String(backlinks),
];

const oneWebsiteMessage = 'Specify one website: its domain or its id.';

function getOnlyWebsite(run: Run) {
  if (run.words.length !== 1) throw new UsageError(oneWebsiteMessage);
  return getWebsite(run, run.words[0]);
}

/** @param text the domain or the id of a website, which `add` adds if the account does not have it */
async function getWebsite({ api, retry }: Run, text = '', { add = false } = {}) {
  const websites = await readPages((cursor) =>
    withRetry(() => callApi(api, listWebsitesWithKey, { query: { limit: 100, cursor } }), retry),
  );
  const name = text.toLowerCase().replace(/^www\./, '');
  const website = websites.find(({ id, domain }) => String(id) === text || domain === name);
  if (website) return website;
  if (add) {
    const input = { body: { domain: text }, headers: { 'idempotency-key': randomUUID() } };
    return (await withRetry(() => callApi(api, createWebsiteWithKey, input), retry)).body;
  }
  throw new CommandError(
    `Your account has no website ${text}. It has: ${websites.map(({ domain }) => domain).join(', ')}`,
  );
}

/** Reads all pages of a list. */
async function readPages<Row>(
  readPage: (cursor: string | undefined) => Promise<{ body: { data: Row[]; nextCursor: string | null } }>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | undefined; ; ) {
    const { body } = await readPage(cursor);
    rows.push(...body.data);
    if (body.nextCursor === null) return rows;
    cursor = body.nextCursor;
  }
}

const printJson = (value: unknown) => stdout.write(`${JSON.stringify(value, null, 2)}\n`);
