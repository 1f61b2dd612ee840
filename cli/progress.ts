import { setTimeout as sleep } from 'node:timers/promises';

const barWidth = 24;
const lineIntervalMs = 10_000;
const clearLine = '\r\x1b[K';

export type Progress = ReturnType<typeof createProgress>;

/** Prints messages and progress: a bar in a terminal, otherwise a line every ten seconds. */
export function createProgress(stream: Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'>, quiet: boolean) {
  let [total, done] = [0, 0];
  /** Time spent in successful calls, and the start of the current one. */
  let [busyMs, since] = [0, 0];
  let lineAt = 0;
  /** The end of the progress line: the speed, or the time that is left of a wait. */
  let status = '';

  function print(sentence: string) {
    if (!quiet) stream.write(`${stream.isTTY ? clearLine : ''}${sentence}\n`);
    draw();
  }
  function draw() {
    if (quiet || !stream.isTTY || total === 0) return;
    const bar = '█'.repeat(Math.round((done / total) * barWidth)).padEnd(barWidth, '░');
    const text = `${bar} ${Math.floor((done / total) * 100)}% | ${formatCount(done)} of ${formatCount(total)} | ${status}`;
    stream.write(clearLine + text.slice(0, (stream.columns || 80) - 1));
  }
  return {
    print,
    start(count: number) {
      total = count;
      since = lineAt = performance.now();
      draw();
    },
    advance(count: number) {
      const now = performance.now();
      done += count;
      busyMs += now - since;
      since = now;
      const perSecond = done / (busyMs / 1000);
      status = `${formatCount(Math.round(perSecond))}/s, ${formatDuration((total - done) / perSecond)} left`;
      draw();
      if (stream.isTTY || now - lineAt < lineIntervalMs || done === total) return;
      lineAt = now;
      print(`${formatCount(done)} of ${formatCount(total)} | ${status}`);
    },
    /**
     * Waits until a time of day and checks the clock every second, so that it ends on time even if the machine was
     * asleep.
     */
    async wait(seconds: number, sentence: string, signal: AbortSignal) {
      const until = Date.now() + seconds * 1000;
      print(`${sentence} Waiting until ${formatTime(new Date(until))}. Press Ctrl+C to stop.`);
      for (let left = seconds * 1000; left > 0; left = until - Date.now()) {
        status = `waiting, ${formatDuration(left / 1000)} left`;
        draw();
        await sleep(Math.min(1000, left), undefined, { signal });
      }
      since = performance.now();
    },
    finish() {
      if (total > 0 && stream.isTTY && !quiet) stream.write(clearLine);
      total = 0;
    },
  };
}

/** Returns '1,204', or '1,204 domains' with a noun whose plural ends in s. */
export function formatCount(count: number, noun?: string): string {
  const digits = count.toLocaleString('en-US');
  return noun === undefined ? digits : `${digits} ${noun}${count === 1 ? '' : 's'}`;
}

/** Returns '2026-11-22 00:00:00 UTC'. Quotas reset at midnight UTC. */
export const formatTime = (time: Date) => `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** Returns '42 s', '3:05' or '4:03:05'. */
function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole < 60) return `${whole} s`;
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const text = new Intl.DurationFormat('en', { style: 'digital' }).format({ hours, minutes, seconds: whole % 60 });
  return text.replace(/^0:0?/, '');
}
