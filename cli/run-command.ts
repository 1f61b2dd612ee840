import { CommandError } from './api.ts';
import { toFileError, UsageError } from './options.ts';

const { stdout, stderr } = process;

/** The signals of Ctrl+C: the first press stops after the current call, the second one immediately. */
export interface Stops {
  stop: AbortSignal;
  stopNow: AbortSignal;
}

/**
 * Runs a command and prints why it failed.
 * @param program what the user typed before the options, for the advice to read the help
 * @returns the exit code: that of `work`, 1 if the run could not finish, or 2 for invalid arguments
 */
export async function runCommand(program: string, work: (stops: Stops) => Promise<number>): Promise<number> {
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
    return await work({ stop: stop.signal, stopNow: stopNow.signal });
  } catch (error) {
    if (error instanceof UsageError) {
      stderr.write(`${error.message}\nFor help, run: ${program} --help\n`);
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
