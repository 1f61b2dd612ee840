import { Readable } from 'node:stream';
import type { QueryOf } from '#shared/platform/endpoint.ts';
import type { exportDomainsCsv } from '#shared/reports/reports.ts';
import type { Context } from '../../context.ts';
import { writeXlsx, type XlsxValue } from '../../platform/archives/write-xlsx.ts';
import { writeCsv } from '../../platform/csv/write-csv.ts';
import { listToxicDomainPages, type ReportedDomain } from './review.ts';
import { getSummary } from './summaries.ts';

interface ExportColumn {
  name: string;
  /** In characters, for workbooks. */
  width: number;
  value(row: ReportedDomain): XlsxValue;
}

const columns: ExportColumn[] = [
  { name: 'Domain', width: 34, value: ({ domain }) => domain },
  { name: 'Risk Level', width: 12, value: ({ riskLevel }) => riskLevel },
  { name: 'Confidence', width: 12, value: ({ confidence }) => confidence },
  { name: 'Independent Sources', width: 21, value: ({ independentSourceCount }) => independentSourceCount },
  { name: 'Niche', width: 20, value: ({ niche }) => niche },
  { name: 'Listed Since', width: 14, value: ({ listedAt }) => new Date(listedAt) },
  { name: 'Backlinks', width: 12, value: ({ backlinks }) => backlinks },
  { name: 'Nofollow Backlinks', width: 20, value: ({ nofollowBacklinks }) => nofollowBacklinks },
  { name: 'First Seen', width: 12, value: ({ firstSeen }) => (firstSeen === null ? null : new Date(firstSeen)) },
  { name: 'New', width: 8, value: ({ isNew }) => (isNew ? 'yes' : 'no') },
  { name: 'Decision', width: 12, value: ({ decision }) => decision },
  { name: 'Note', width: 50, value: ({ note }) => note },
];

type FilterQuery = QueryOf<typeof exportDomainsCsv>;
type ExportReading = Pick<Context, 'db' | 'readDb' | 'reads'>;

/**
 * Returns the listed domains of a report that match a filter, with the user's decisions and notes, as a CSV stream with
 * its file name.
 * @throws 404 if the user has no such report
 */
export async function exportDomainsAsCsv(reading: ExportReading, userId: number, id: number, query: FilterQuery) {
  const { rows, fileName } = await openExport(reading, userId, id, query);
  async function* cells() {
    for await (const row of rows) yield row.map((value) => (value instanceof Date ? toDay(value) : value));
  }
  const header = columns.map(({ name }) => name);
  return { csv: Readable.from(writeCsv(header, cells())), fileName: `${fileName}.csv` };
}

/** Returns the same as `exportDomainsAsCsv`, as the stream of an Excel workbook. Its days are dates. */
export async function exportDomainsAsXlsx(reading: ExportReading, userId: number, id: number, query: FilterQuery) {
  const { rows, fileName } = await openExport(reading, userId, id, query);
  return { xlsx: writeXlsx('Toxic domains', columns, rows), fileName: `${fileName}.xlsx` };
}

async function openExport(reading: ExportReading, userId: number, id: number, query: FilterQuery) {
  const { domain, dateCreated } = await getSummary(reading.readDb, userId, id);
  const pages = await listToxicDomainPages(reading, userId, id, query);
  async function* rows() {
    for await (const page of pages) {
      for (const row of page) yield columns.map(({ value }) => value(row));
    }
  }
  return { rows: rows(), fileName: `toxic-domains-${domain}-${dateCreated.slice(0, 10)}` };
}

const toDay = (date: Date) => date.toISOString().slice(0, 10);
