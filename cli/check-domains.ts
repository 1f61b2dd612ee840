import { riskLevels } from '#shared/domains.ts';
import { getKeyUsage, type KeyUsage, maxBulkDomains } from '#shared/key-checks.ts';
import { CannotFinish, callApi, checkHosts, oneLine, type RetryOptions, type Verdict, withRetry } from './api.ts';
import { fileError, help, type Options, readOptions, UsageError } from './options.ts';
import { counted, createProgress, moment, type Progress } from './progress.ts';
import { readHosts } from './read-hosts.ts';
import { openOutput } from './verdict-file.ts';

const { stdout, stderr } = process;

/** `npm run check-domains`: checks the domains of a file against the blacklist. `help` describes it and its exit codes. */
async function main(args: string[]): Promise<number> {
  const stop = new AbortController();
  const stopNow = new AbortController();
  let stoppedAt = 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // One press of Ctrl+C arrives twice where npm passes it on.
      if (stop.signal.aborted && performance.now() - stoppedAt > 500) stopNow.abort();
      if (!stop.signal.aborted) stoppedAt = performance.now();
      stop.abort();
    });
  }
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    // EPIPE: the reader of the output has seen enough.
    if (error.code !== 'EPIPE') report(fileError('Standard output', error, CannotFinish));
    process.exit(1);
  });
  try {
    const options = readOptions(args, process.env);
    if (options === 'help') {
      stdout.write(help);
      return 0;
    }
    const progress = createProgress(stderr, options.quiet);
    stop.signal.addEventListener('abort', () => progress.say('Stopping; Ctrl+C again stops at once.'));
    await check(options, progress, stop.signal, stopNow.signal).catch((error) => {
      throw fileError(options.out ?? 'Standard output', error, CannotFinish);
    });
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      stderr.write(`${error.message}\nnpm run check-domains -- --help says how it is used.\n`);
      return 2;
    }
    report(stop.signal.aborted ? new CannotFinish('Stopped.') : error);
    return 1;
  }
}

function report(error: unknown): void {
  const unexpected = error instanceof Error ? error.stack : error;
  stderr.write(`${error instanceof CannotFinish ? error.message : unexpected}\n`);
}

async function check(options: Options, progress: Progress, stop: AbortSignal, stopNow: AbortSignal): Promise<void> {
  const { origin, key, wait, tries } = options;
  if (origin.startsWith('http:') && !isThisMachine(origin)) {
    stderr.write(`Warning: over ${origin} anybody on the way can read your API key. Use https.\n`);
  }
  const { hosts, backlinks, skipped, format } = await readHosts(options, stop);
  progress.say(`${counted(backlinks, 'row')}, ${counted(hosts.size, 'domain')} (${format.tool}: ${format.column}).`);
  for (const { reason, count, lines } of skipped) {
    const places = `line ${lines.join(', ')}${count > lines.length ? ' …' : ''}`;
    progress.say(`Skipped ${counted(count, 'row')}, ${reason}: ${places}.`);
  }
  const output = openOutput(options);
  const earlier = output.verdicts.filter(({ domain }) => hosts.delete(domain));
  if (earlier.length > 0) progress.say(`${counted(earlier.length, 'domain')} of an earlier run are not asked again.`);
  const hostsLeft = [...hosts.keys()];
  const checked: Verdict[] = [];
  try {
    if (hostsLeft.length === 0) return;
    const api = { origin, key, signal: stopNow };
    const pause: RetryOptions['pause'] = (seconds, sentence) => progress.wait(seconds, sentence, stop);
    const retry = { wait, tries, signal: stop, pause };
    const { body: usage } = await withRetry(() => callApi(api, getKeyUsage), retry);
    progress.say(planOf(hostsLeft.length, usage, options));
    progress.begin(hostsLeft.length);
    for await (const more of checkHosts(api, hostsLeft, usage.remaining, retry)) {
      output.add(more);
      checked.push(...more);
      progress.advance(more.length);
    }
  } finally {
    progress.end();
    const isComplete = checked.length === hostsLeft.length;
    const path = output.close(isComplete);
    const part = isComplete ? '' : `${counted(checked.length)} of ${counted(hostsLeft.length)} checked. `;
    progress.say(`${part}${summaryOf([...earlier, ...checked])}.`);
    if (path !== undefined) {
      progress.say(isComplete ? `Written to ${path}.` : `Kept in ${path}; the same command goes on.`);
    }
  }
}

/** Whether requests to the server stay on this machine. */
function isThisMachine(origin: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(origin).hostname);
}

/** What the work costs of the key's day. */
function planOf(count: number, usage: KeyUsage, { wait, out }: Options): string {
  const { name, dailyLimit, remaining, resetAt } = usage;
  const calls = counted(Math.ceil(count / maxBulkDomains), 'call');
  const plan = `${counted(count, 'request')} in ${calls}; ${counted(remaining)} of ${counted(dailyLimit)} left today for the key “${oneLine(name)}”.`;
  if (remaining >= count) return plan;
  const rest = wait ? 'the rest waits' : 'it will stop';
  const days = counted(Math.ceil((count - remaining) / dailyLimit), 'more day');
  const advice = out === undefined ? ' With --out FILE, a run that ends early is gone on with later.' : '';
  return `${plan} After those ${rest}: the day ends at ${moment(new Date(resetAt))}. The rest takes ${days}.${advice}`;
}

/** '3 domains: 2 listed (1 high, 1 very high), 1 clean' */
function summaryOf(verdicts: readonly Verdict[]): string {
  const count = (word: string, isCounted: (verdict: Verdict) => unknown) =>
    `${counted(verdicts.filter(isCounted).length)} ${word}`;
  const isSome = (text: string) => !text.startsWith('0 ');
  const levels = riskLevels.map((level) => count(level, ({ riskLevel }) => riskLevel === level)).filter(isSome);
  const parts = [
    count('listed', ({ listed }) => listed) + (levels.length > 0 ? ` (${levels.join(', ')})` : ''),
    count('clean', ({ listed }) => listed === false),
    ...[count('no domain', ({ error }) => error !== null)].filter(isSome),
  ];
  return `${counted(verdicts.length, 'domain')}: ${parts.join(', ')}`;
}

process.exitCode = await main(process.argv.slice(2));
