import { bulkLimit } from '#shared/key-checks.ts';
import { askPatiently, type Manner, pauseByClock } from './ask-patiently.ts';
import { openServer } from './ask-server.ts';
import { checkHosts } from './check-hosts.ts';
import { counted, moment } from './counted.ts';
import { help } from './help.ts';
import { openOutput } from './open-output.ts';
import { readHosts, systemFault } from './read-hosts.ts';
import { isThisMachine, type Options, readOptions } from './read-options.ts';
import { type Progress, showProgress } from './show-progress.ts';
import { CannotFinish, WrongUse } from './stop.ts';
import { createTally } from './tally.ts';
import { oneLine } from './verdict.ts';

/** `npm run check-domains`: the domains of a file against the blacklist. `help` says what it does and how it ends. */
async function main(args: string[]): Promise<number> {
  const soft = new AbortController();
  const hard = new AbortController();
  let stoppedAt = 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // One press of Ctrl+C comes twice where npm passes it on.
      if (soft.signal.aborted && performance.now() - stoppedAt > 500) hard.abort();
      if (!soft.signal.aborted) stoppedAt = performance.now();
      soft.abort();
    });
  }
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // With EPIPE, whoever read the output has seen enough.
    if (error.code !== 'EPIPE') {
      const fault = systemFault('Standard output', error);
      process.stderr.write(`${fault?.message ?? `Standard output can not be written (${error.message}).`}\n`);
    }
    process.exit(1);
  });
  try {
    const options = readOptions(args, process.env);
    if (options === 'help') {
      process.stdout.write(help);
      return 0;
    }
    const progress = showProgress(process.stderr, options.quiet);
    soft.signal.addEventListener('abort', () => progress.say('Stopping; Ctrl+C again stops at once.'));
    await check(options, progress, soft.signal, hard.signal).finally(progress.end);
    return 0;
  } catch (error) {
    if (error instanceof WrongUse) {
      process.stderr.write(`${error.message}\nnpm run check-domains -- --help says how it is used.\n`);
      return 2;
    }
    if (soft.signal.aborted) process.stderr.write('Stopped.\n');
    else if (error instanceof CannotFinish) process.stderr.write(`${error.message}\n`);
    else process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    return 1;
  }
}

async function check(options: Options, progress: Progress, stop: AbortSignal, stopNow: AbortSignal): Promise<void> {
  const { origin, key, wait, tries } = options;
  if (origin.startsWith('http:') && !isThisMachine(origin)) {
    process.stderr.write(`Warning: over ${origin} anybody on the way can read your API key. Use https.\n`);
  }
  const { hosts, backlinks, skipped, format } = await readHosts(options, stop);
  progress.say(`${counted(backlinks, 'row')}, ${counted(hosts.size, 'domain')} (${format.tool}: ${format.column}).`);
  for (const { reason, count, lines } of skipped) {
    progress.say(
      `Skipped ${counted(count, 'row')}, ${reason}: line ${lines.join(', ')}${count > lines.length ? ' …' : ''}.`,
    );
  }
  const tally = createTally();
  const output = await openOutput(options, (verdict) => {
    if (hosts.delete(verdict.domain)) tally.add(verdict);
  });
  const earlier = tally.total;
  if (earlier > 0) progress.say(`${counted(earlier, 'domain')} of an earlier run are not asked again.`);
  const manner: Manner = {
    wait,
    tries,
    signal: stop,
    pause: (seconds, sentence) => pauseByClock(seconds, stop, (until) => progress.wait(sentence, until)),
  };
  let isComplete = false;
  try {
    const todo = [...hosts.keys()];
    if (todo.length > 0) {
      const server = openServer({ origin, key, signal: stopNow });
      const { body: usage } = await askPatiently(server.readUsage, manner);
      progress.say(planOf(todo.length, usage, options));
      progress.begin(todo.length);
      await checkHosts(server, todo, usage.remaining, manner, async (verdicts) => {
        await output.add(verdicts);
        for (const verdict of verdicts) tally.add(verdict);
        progress.advance(verdicts.length);
      });
    }
    isComplete = true;
  } finally {
    progress.end();
    const place = await output.close(isComplete);
    const checked = isComplete ? '' : `${counted(tally.total - earlier)} of ${counted(hosts.size)} checked. `;
    progress.say(`${checked}${tally.words()}.`);
    if (place !== undefined)
      progress.say(isComplete ? `Written to ${place}.` : `Kept in ${place}; the same command goes on.`);
  }
}

/** What the work costs of the key's day. */
function planOf(
  count: number,
  usage: { name: string; dailyLimit: number; remaining: number; resetAt: string },
  { wait, out }: Options,
) {
  const { name, dailyLimit, remaining, resetAt } = usage;
  const calls = counted(Math.ceil(count / bulkLimit), 'call');
  const plan = `${counted(count, 'request')} in ${calls}; ${counted(remaining)} of ${counted(dailyLimit)} left today for the key “${oneLine(name)}”.`;
  if (remaining >= count) return plan;
  const rest = wait ? 'the rest waits' : 'it will stop';
  const days = counted(Math.ceil((count - remaining) / dailyLimit), 'more day');
  const advice = out === undefined ? ' With --out FILE, a run that ends early is gone on with later.' : '';
  return `${plan} After those ${rest}: the day ends at ${moment(new Date(resetAt))}. The rest takes ${days}.${advice}`;
}

process.exitCode = await main(process.argv.slice(2));
