import { Readable } from 'node:stream';
import type { Context } from '../context.ts';
import { writeCsv } from '../csv/write-csv.ts';
import { notFound } from '../http/errors.ts';
import { findImport } from './store.ts';
import { listFailures } from './store-failures.ts';

const batch = 5000;

/** All failed rows of an import as CSV text, in the order of the file. Throws 404 for an unknown import. */
export async function exportFailures(context: Context, id: string): Promise<Readable> {
  if (!(await findImport(context.db, id))) throw notFound('import', id);
  return Readable.from(writeCsv(['Line', 'Value', 'Reason'], failedRows(context, id)), { objectMode: false });
}

async function* failedRows({ db }: Context, id: string) {
  let line = 0;
  for (;;) {
    const failures = await listFailures(db, id, batch, line);
    for (const failure of failures) yield [failure.line, failure.value, failure.reason];
    line = failures.at(-1)?.line ?? line;
    if (failures.length < batch) return;
  }
}
