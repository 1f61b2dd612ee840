import { setTimeout as sleep } from 'node:timers/promises';

const barCells = 24;
const msBetweenLines = 10_000;
const clearLine = '\r\x1b[K';

export type Progress = ReturnType<typeof createProgress>;

/** Tells the user what happens: with a bar in a terminal, elsewhere with a line every ten seconds. */
export function createProgress(stream: Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'>, quiet: boolean) {
  let [total, done] = [0, 0];
  /** Time spent in calls that were answered, and when the present one began. */
  let [busyMs, since] = [0, 0];
  let lineAt = 0;
  let note = '';

  function say(sentence: string) {
    if (!quiet) stream.write(`${stream.isTTY ? clearLine : ''}${sentence}\n`);
    draw();
  }
  function draw() {
    if (quiet || !stream.isTTY || total === 0) return;
    const bar = '█'.repeat(Math.round((done / total) * barCells)).padEnd(barCells, '░');
    const text = `${bar} ${Math.floor((done / total) * 100)}% | ${counted(done)} of ${counted(total)} | ${note}`;
    stream.write(clearLine + text.slice(0, (stream.columns || 80) - 1));
  }
  return {
    say,
    begin(count: number) {
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
      note = `${counted(Math.round(perSecond))}/s, ${lasting((total - done) / perSecond)} left`;
      draw();
      if (stream.isTTY || now - lineAt < msBetweenLines || done === total) return;
      lineAt = now;
      say(`${counted(done)} of ${counted(total)} | ${note}`);
    },
    /** Waits by the clock, second by second: after the machine slept, it continues when the time is over. */
    async wait(seconds: number, sentence: string, signal: AbortSignal) {
      const until = Date.now() + seconds * 1000;
      say(`${sentence} Waiting until ${moment(new Date(until))}; Ctrl+C stops.`);
      for (let left = seconds * 1000; left > 0; left = until - Date.now()) {
        note = `waiting, ${lasting(left / 1000)} left`;
        draw();
        await sleep(Math.min(1000, left), undefined, { signal });
      }
      since = performance.now();
    },
    end() {
      if (total > 0 && stream.isTTY && !quiet) stream.write(clearLine);
      total = 0;
    },
  };
}

/** '1,204', or '1,204 domains' with a noun whose plural takes an s. */
export function counted(count: number, noun?: string): string {
  const digits = count.toLocaleString('en-US');
  return noun === undefined ? digits : `${digits} ${noun}${count === 1 ? '' : 's'}`;
}

/** '2026-11-22 00:00:00 UTC': the server's day is a UTC day. */
export const moment = (time: Date) => `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** '42 s', '3:05' or '4:03:05' */
function lasting(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole < 60) return `${whole} s`;
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const text = new Intl.DurationFormat('en', { style: 'digital' }).format({ hours, minutes, seconds: whole % 60 });
  return text.replace(/^0:0?/, '');
}
