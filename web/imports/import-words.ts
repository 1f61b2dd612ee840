import type { ImportStatus } from '#shared/imports.ts';
import { ApiError } from '../lib/api.ts';
import type { ToastText } from '../ui/toast.tsx';

const number = new Intl.NumberFormat('en-US');

/**
 * Where an import is: 'Processing... 1,200 imported so far (14s elapsed)', at its end '1,200 imported, 30 updated (15s)', or
 * 'Nothing was imported (2s)'.
 */
export function importWords({ status, imported, updated, timeTaken }: ImportStatus): string {
  const seconds = `${Math.round(timeTaken * 10) / 10}s`;
  if (status === 'processing') {
    return `Processing... ${number.format(imported + updated)} imported so far (${seconds} elapsed)`;
  }
  if (status === 'failed') return `Nothing was imported (${seconds})`;
  return `${number.format(imported)} imported, ${number.format(updated)} updated (${seconds})`;
}

/** '12 rows were not imported' */
export function failedWords(count: number): string {
  return count === 1 ? '1 row was not imported' : `${number.format(count)} rows were not imported`;
}

export const noFileSelected: ToastText = {
  title: 'No file selected',
  description: 'Please select a CSV file to import',
  tone: 'destructive',
};

/** Why a file could not be sent; undefined when the person took it back. */
export function sendProblem(error: unknown): ToastText | undefined {
  if (error instanceof DOMException && error.name === 'AbortError') return undefined;
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return {
      title: 'Import timed out',
      description:
        'The import operation took too long and was automatically cancelled. Please try again with a smaller file.',
      tone: 'destructive',
    };
  }
  if (!(error instanceof ApiError)) return { ...importFailed(''), description: 'Please try again.' };
  // Without a connection nothing is known of the columns.
  return error.status === 0 ? { ...importFailed(''), description: error.message } : importFailed(error.message);
}

/** An import that ended badly: what went wrong, with a hint about the columns unless they are named already. */
export function importFailed(message: string): ToastText & { description: string } {
  const isNamed = /\bdomain\b.*\bsource\b/i.test(message);
  const description = isNamed ? message : `${message} ${columnHint}`;
  return { title: 'Import failed', description, tone: 'destructive' };
}

const columnHint = "Please check that the CSV has the required 'domain' and 'source' columns.";
