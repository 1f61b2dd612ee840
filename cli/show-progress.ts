import cliProgress from 'cli-progress';
import { counted, lasting, moment } from './counted.ts';

/** What a person sees while the command works, on standard error. */
export interface Progress {
  /** A line of its own. */
  say(sentence: string): void;
  begin(total: number): void;
  advance(count: number): void;
  /** Called once when a wait begins, and every second of it. */
  wait(sentence: string, until: Date): void;
  end(): void;
}

type Stream = NodeJS.WriteStream;

const lineEverySeconds = 10;

/** A bar in a terminal, elsewhere a line now and then. */
export function showProgress(stream: Stream, quiet: boolean): Progress {
  if (quiet) return { say() {}, begin() {}, advance() {}, wait() {}, end() {} };
  return stream.isTTY ? asBar(stream) : asLines(stream);
}

function asBar(stream: Stream): Progress {
  const bar = new cliProgress.SingleBar({
    stream,
    format: '{bar} {percentage}% | {value} of {total} | {note}',
    formatValue: (value, _options, type) => (type === 'percentage' ? `${value}` : counted(value)),
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 24,
    hideCursor: true,
    clearOnComplete: true,
    // An end by a signal is ours to see to.
    gracefulExit: false,
  });
  const pace = createPace();
  const told = createTold();
  let isShown = false;

  function say(sentence: string): void {
    if (isShown) bar.stop();
    stream.write(`${sentence}\n`);
    if (isShown) bar.start(pace.total, pace.done, { note: pace.note() });
  }
  return {
    say,
    begin(total) {
      pace.begin(total);
      isShown = true;
      bar.start(total, 0, { note: '' });
    },
    advance(count) {
      pace.advance(count);
      if (isShown) bar.update(pace.done, { note: pace.note() });
    },
    wait(sentence, until) {
      if (told(until)) say(waiting(sentence, until));
      pace.rest();
      if (isShown) bar.update({ note: `waiting, ${lasting((until.getTime() - Date.now()) / 1000)} left` });
    },
    end() {
      if (isShown) bar.stop();
      isShown = false;
    },
  };
}

function asLines(stream: Stream): Progress {
  const pace = createPace();
  const told = createTold();
  let toldAt = performance.now();
  const say = (sentence: string) => void stream.write(`${sentence}\n`);
  return {
    say,
    begin: pace.begin,
    advance(count) {
      pace.advance(count);
      if (performance.now() - toldAt < lineEverySeconds * 1000 || pace.done === pace.total) return;
      toldAt = performance.now();
      say(`${counted(pace.done)} of ${counted(pace.total)} | ${pace.note()}`);
    },
    wait(sentence, until) {
      pace.rest();
      if (told(until)) say(waiting(sentence, until));
    },
    end() {},
  };
}

/** How fast it goes while it is not waiting. */
function createPace() {
  let [total, done, busyMs, since] = [0, 0, 0, performance.now()];
  return {
    begin(all: number) {
      [total, since] = [all, performance.now()];
    },
    advance(count: number) {
      done += count;
      busyMs += performance.now() - since;
      since = performance.now();
    },
    rest() {
      since = performance.now();
    },
    /** '480/s, 12 s left' */
    note(): string {
      if (done === 0 || busyMs === 0) return '';
      const perSecond = done / (busyMs / 1000);
      return `${counted(Math.round(perSecond))}/s, ${lasting((total - done) / perSecond)} left`;
    },
    get total() {
      return total;
    },
    get done() {
      return done;
    },
  };
}

/** Tells each wait once. */
function createTold() {
  let last = 0;
  return (until: Date) => {
    const isNew = until.getTime() !== last;
    last = until.getTime();
    return isNew;
  };
}

const waiting = (sentence: string, until: Date) => `${sentence} Waiting until ${moment(until)}; Ctrl+C stops.`;
