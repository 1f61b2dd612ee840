import { riskLevels } from '#shared/blacklist/domains.ts';
import { getKeyUsage, type KeyUsage, maxBulkDomains } from '#shared/checks/key-checks.ts';
import {
  type Api,
  CommandError,
  callApi,
  checkHosts,
  type RetryOptions,
  toOneLine,
  type Verdict,
  withRetry,
} from './api.ts';
import { help, type Options, readOptions, toFileError, UsageError } from './options.ts';
import { checkHostsPrivately, readPrefixLength } from './private-checks.ts';
import { createProgress, formatCount, formatTime, type Progress } from './progress.ts';
import { readHosts } from './read-hosts.ts';
import { openOutput } from './verdict-file.ts';

const { stdout, stderr } = process;

/** `npm run check-domains`: checks the domains of a file against the blacklist. @returns the exit code, see `help` */
async function main(args: string[]): Promise<number> {
  const stop = new AbortController();
  const stopNow = new AbortController();
  let stoppedAt = 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // If npm forwards signals, one press of Ctrl+C arrives twice.
      if (stop.signal.aborted && performance.now() - stoppedAt > 500) stopNow.abort();
      if (!stop.signal.aborted) stoppedAt = performance.now();
      stop.abort();
    });
  }
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    // EPIPE: the reader has closed the pipe.
    if (error.code !== 'EPIPE') report(toFileError('Standard output', error, CommandError));
    process.exit(1);
  });
  try {
    const options = readOptions(args, process.env);
    if (options === 'help') {
      stdout.write(help);
      return 0;
    }
    const progress = createProgress(stderr, options.quiet);
    stop.signal.addEventListener('abort', () =>
      progress.print('Stopping after the current call. Press Ctrl+C again to stop now.'),
    );
    await check(options, progress, stop.signal, stopNow.signal).catch((error) => {
      throw toFileError(options.out ?? 'Standard output', error, CommandError);
    });
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      stderr.write(`${error.message}\nFor help, run: npm run check-domains -- --help\n`);
      return 2;
    }
    report(stop.signal.aborted ? new CommandError('Stopped.') : error);
    return 1;
  }
}

function report(error: unknown): void {
  const unexpected = error instanceof Error ? error.stack : error;
  stderr.write(`${error instanceof CommandError ? error.message : unexpected}\n`);
}

async function check(options: Options, progress: Progress, stop: AbortSignal, stopNow: AbortSignal): Promise<void> {
  const { origin, key, wait, tries } = options;
  if (key !== undefined && origin.startsWith('http:') && !isThisMachine(origin)) {
    stderr.write(`Warning: ${origin} is not encrypted, so others can read your API key. Use https.\n`);
  }
  const { hosts: allHosts, backlinks, formats, ignoredTables } = await readHosts(options, stop);
  const hosts = new Set(allHosts);
  const formatNames = formats.map(({ tool, column }) => `${tool}: ${column}`).join('; ');
  progress.print(`${formatCount(backlinks, 'row')}, ${formatCount(hosts.size, 'domain')} (${formatNames}).`);
  for (const { file, skipped } of formats) {
    for (const { reason, count, lines } of skipped) {
      const numbers = `${count === 1 ? 'line' : 'lines'} ${lines.join(', ')}${count > lines.length ? ' …' : ''}`;
      const table = formats.length > 1 ? ` of ${file}` : '';
      progress.print(`Skipped ${formatCount(count, 'row')}${table}, ${reason}: ${numbers}.`);
    }
  }
  for (const { file, reason } of ignoredTables) progress.print(`Not read: ${file}. ${reason}`);
  const output = openOutput(options);
  const earlier = output.verdicts.filter(({ domain }) => hosts.delete(domain));
  if (earlier.length > 0) progress.print(`${formatCount(earlier.length, 'domain')} already checked in an earlier run.`);
  const hostsLeft = [...hosts];
  const checked: Verdict[] = [];
  try {
    if (hostsLeft.length === 0) return;
    const api = { origin, key, signal: stopNow };
    const pause: RetryOptions['pause'] = (seconds, sentence) => progress.wait(seconds, sentence, stop);
    const retry = { wait, tries, signal: stop, pause };
    const results =
      key === undefined
        ? checkHostsPrivately(api, hostsLeft, await readPrefixLength(api, retry), retry)
        : checkHosts(api, hostsLeft, await readRemaining(api, hostsLeft.length, options, { retry, progress }), retry);
    progress.start(hostsLeft.length);
    for await (const more of results) {
      output.add(more);
      checked.push(...more);
      progress.advance(more.length);
    }
  } finally {
    progress.finish();
    const isComplete = checked.length === hostsLeft.length;
    const path = output.close(isComplete);
    const incomplete = isComplete ? '' : `${formatCount(checked.length)} of ${formatCount(hostsLeft.length)} checked. `;
    progress.print(`${incomplete}${summarize([...earlier, ...checked])}.`);
    if (path !== undefined) {
      progress.print(isComplete ? `Written to ${path}.` : `Saved in ${path}. Run the same command again to continue.`);
    }
  }
}

/** Reads how many requests the key has left today, and prints how many the run needs. */
async function readRemaining(
  api: Api,
  count: number,
  options: Options,
  { retry, progress }: { retry: RetryOptions; progress: Progress },
) {
  const { body: usage } = await withRetry(() => callApi(api, getKeyUsage), retry);
  progress.print(describePlan(count, usage, options));
  return usage.remaining;
}

/** Whether requests to the server stay on this machine. */
function isThisMachine(origin: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(origin).hostname);
}

/** Says how many of the key's daily requests the run needs, and how long it takes. */
function describePlan(count: number, usage: KeyUsage, { wait, out }: Options): string {
  const { name, dailyLimit, remaining, resetAt } = usage;
  const calls = formatCount(Math.ceil(count / maxBulkDomains), 'call');
  const plan = `${formatCount(count, 'request')} in ${calls}; ${formatCount(remaining)} of ${formatCount(dailyLimit)} left today for the key “${toOneLine(name)}”.`;
  if (remaining >= count) return plan;
  const rest = wait ? 'the rest waits for the next day' : 'the command stops';
  const days = formatCount(Math.ceil((count - remaining) / dailyLimit), 'more day');
  const advice = out === undefined ? ' Use --out FILE to continue a stopped run later.' : '';
  return `${plan} After those, ${rest}. The quota resets at ${formatTime(new Date(resetAt))}. The rest takes ${days}.${advice}`;
}

/** '3 domains: 2 listed (1 high, 1 very high), 1 clean' */
function summarize(verdicts: readonly Verdict[]): string {
  const count = (word: string, isCounted: (verdict: Verdict) => unknown) =>
    `${formatCount(verdicts.filter(isCounted).length)} ${word}`;
  const isSome = (text: string) => !text.startsWith('0 ');
  const levels = riskLevels.map((level) => count(level, ({ riskLevel }) => riskLevel === level)).filter(isSome);
  const parts = [
    count('listed', ({ listed }) => listed) + (levels.length > 0 ? ` (${levels.join(', ')})` : ''),
    count('clean', ({ listed }) => listed === false),
    ...[count('not a domain', ({ error }) => error !== null)].filter(isSome),
  ];
  return `${formatCount(verdicts.length, 'domain')}: ${parts.join(', ')}`;
}

process.exitCode = await main(process.argv.slice(2));
