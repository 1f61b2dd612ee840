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
  warnIfUnencrypted,
  withRetry,
} from './api.ts';
import { describeCheck, type Options, readOptions, toFileError } from './options.ts';
import { checkHostsPrivately, readPrefixLength } from './private-checks.ts';
import { createProgress, formatCount, formatTime, type Progress } from './progress.ts';
import { readHosts } from './read-hosts.ts';
import type { Stops } from './run-command.ts';
import { openOutput } from './verdict-file.ts';

const { stdout, stderr } = process;

/**
 * Checks the domains of a file against the blacklist.
 * @param program what the user typed before the options
 * @returns the exit code, see `describeCheck`
 */
export async function checkFile(
  program: string,
  args: string[],
  environment: NodeJS.ProcessEnv,
  { stop, stopNow }: Stops,
): Promise<number> {
  const options = readOptions(args, environment);
  if (options === 'help') {
    stdout.write(describeCheck(program));
    return 0;
  }
  const progress = createProgress(stderr, options.quiet);
  stop.addEventListener('abort', () =>
    progress.print('Stopping after the current call. Press Ctrl+C again to stop now.'),
  );
  await check(options, progress, stop, stopNow).catch((error) => {
    throw toFileError(options.out ?? 'Standard output', error, CommandError);
  });
  return 0;
}

async function check(options: Options, progress: Progress, stop: AbortSignal, stopNow: AbortSignal): Promise<void> {
  const { origin, key, wait, tries } = options;
  if (key !== undefined) warnIfUnencrypted(origin);
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
