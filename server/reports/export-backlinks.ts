import { writeCsv } from '../csv/write-csv.ts';
import type { Db } from '../db/database.ts';
import { getSummary, harmfulBacklinkOf } from './reports.ts';
import { listBacklinks } from './store.ts';

const header = ['Domain', 'Referring Page', 'Risk Level', 'Reason', 'Source'];
const batch = 5000;

/** All harmful backlinks of a report as CSV, read while they are sent. Throws 404 when the user has no such report. */
export async function exportBacklinks(db: Db, userId: number, id: number) {
  const { domain, dateCreated, harmfulBacklinks } = await getSummary(db, userId, id);
  const rows = async function* () {
    for (let from = 0; from < harmfulBacklinks; from += batch) {
      for (const row of await listBacklinks(db, userId, id, from, from + batch)) {
        const { domain, referringPage, riskLevel, reason, source } = harmfulBacklinkOf(row);
        yield [domain, referringPage, riskLevel, reason, source];
      }
    }
  };
  return { csv: writeCsv(header, rows()), fileName: `harmful-backlinks-${domain}-${dateCreated.slice(0, 10)}.csv` };
}
