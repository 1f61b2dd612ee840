import type { ImportStatus } from '#shared/imports.ts';

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
