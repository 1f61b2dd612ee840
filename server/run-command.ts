import { HttpError } from './platform/http/errors.ts';

/**
 * Runs a command of the command line and prints its result. An HttpError is printed as its sentence, and sets the exit
 * code to 1.
 */
export async function runCommand(work: () => Promise<string>, print = printLine): Promise<void> {
  try {
    print(await work());
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    print(error.message);
    process.exitCode = 1;
  }
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
