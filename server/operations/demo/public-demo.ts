import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { getErrorMessage, StartError } from '../../start-error.ts';
import { getNextReset } from './allowed-changes.ts';

interface PublicDemo {
  /** The folder in which each hour has a data folder of its own. */
  folder: string;
  /** Starts this program as `demo prepare`, which fills a data folder and ends, or as `demo serve`. */
  launch(work: 'prepare' | 'serve', dataDir: string): ChildProcess;
  warn(message: string): void;
  /** Waits until the data of the next hour must be made, and until the hour is over. Replaced in tests. */
  wait?: Record<'prepare' | 'reset', (signal: AbortSignal) => Promise<unknown>>;
}

/** To make the data takes a minute, or several on a slow machine. */
const prepareBeforeMs = 10 * 60_000;
const waitUntil = (at: number, signal: AbortSignal) => delay(Math.max(0, at - Date.now()), undefined, { signal });

function waitForNextHour(): NonNullable<PublicDemo['wait']> {
  const at = getNextReset(new Date()).getTime();
  return {
    prepare: (signal) => waitUntil(at - prepareBeforeMs, signal),
    reset: (signal) => waitUntil(at, signal),
  };
}

/**
 * Serves the demonstration until `signal` aborts, and replaces it on the hour by a new one: another process with a new
 * database, new files and a new secret key, so that nothing of a visitor is left, not even a session.
 * @throws StartError if a demonstration cannot be made or ends by itself
 */
export async function runPublicDemo(
  { folder, launch, warn, wait: givenWait }: PublicDemo,
  signal: AbortSignal,
): Promise<void> {
  const [current, next] = [join(folder, 'demo-current'), join(folder, 'demo-next')];
  const prepare = async () => {
    await rm(next, { recursive: true, force: true });
    await mkdir(next, { recursive: true, mode: 0o700 });
    const child = launch('prepare', next);
    const stop = () => child.kill('SIGTERM');
    signal.addEventListener('abort', stop);
    const [code] = await once(child, 'exit').finally(() => signal.removeEventListener('abort', stop));
    if (code !== 0 && !signal.aborted) throw new StartError('The data of the demonstration could not be created.');
  };
  let isPrepared = false;
  while (!signal.aborted) {
    if (!isPrepared) await prepare();
    if (signal.aborted) return;
    await rm(current, { recursive: true, force: true });
    await rename(next, current);
    isPrepared = await serveUntilReset();
  }

  /** Serves the current data. @returns whether the next data are complete */
  async function serveUntilReset(): Promise<boolean> {
    const wait = givenWait ?? waitForNextHour();
    const child = launch('serve', current);
    const exit = once(child, 'exit');
    const ended = new AbortController();
    void exit.then(() => ended.abort());
    const either = AbortSignal.any([signal, ended.signal]);
    const refuseEnd = () => {
      if (ended.signal.aborted && !signal.aborted) throw new StartError('The demonstration ended unexpectedly.');
    };
    try {
      await wait.prepare(either).catch(refuseEnd);
      if (signal.aborted) return false;
      const isReady = await prepare().then(
        () => true,
        (error: unknown) => {
          warn(getErrorMessage(error));
          return false;
        },
      );
      await wait.reset(either).catch(refuseEnd);
      return isReady;
    } finally {
      child.kill('SIGTERM');
      await exit;
    }
  }
}
