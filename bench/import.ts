import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import { pino } from 'pino';
import { csvRow } from '#server/csv/write-csv.ts';
import { formatCopyRow } from '#server/db/copy.ts';
import { openDatabase } from '#server/db/database.ts';
import { openFiles } from '#server/files/files.ts';
import { listableName } from '#server/hosts/hosts.ts';
import { runImport } from '#server/imports/jobs.ts';
import { findImport, insertImport } from '#server/imports/store.ts';
import { type GeneratedDomain, generateDomains } from './generate-domains.ts';
import type { BenchDatabase, BenchOptions, Measurement, Row } from './measurement.ts';

const million = 1_000_000;
const maxRatio = 2;

/** Imports a million domains. Peer: COPY of the same rows into the same indexed tables, domains and listings. */
export const importMeasurement: Measurement = { name: 'import', run };

async function run({ database, folder }: BenchOptions): Promise<Row[]> {
  const csv = join(folder, 'import.csv');
  const copies = { domains: join(folder, 'domains.copy'), listings: join(folder, 'listings.copy') };
  await writeFiles(csv, copies);
  const rows: Row[] = [];
  for (const [listed, description] of [
    [0, 'an empty database'],
    [million, 'a database of 1,000,000'],
  ] as const) {
    const peer = await copySeconds(await database(listed, 'copy'), copies);
    const target = await database(listed, 'import');
    const ours = await importFile(target, csv, folder);
    const ratio = ours.seconds / peer;
    rows.push({
      work: `import 1,000,000 domains into ${description} (peak memory +${ours.peakMegabytes} MB)`,
      ours: seconds(ours.seconds),
      peer: `COPY ${seconds(peer)}`,
      ratio: ratio.toFixed(2),
      budget: `≤ ${maxRatio}`,
      passed: ratio <= maxRatio,
    });
    if (listed > 0) rows.push(withoutPeer('import the same file again', await importFile(target, csv, folder)));
    const other = join(folder, 'other-source.csv');
    await writeCsvFile(other, (row) => ({ ...row, source: 'another list' }));
    rows.push(withoutPeer(`add a source to all of them in ${description}`, await importFile(target, other, folder)));
  }
  return rows;
}

function withoutPeer(work: string, { seconds: elapsed }: { seconds: number }): Row {
  return { work, ours: seconds(elapsed), peer: '', ratio: '', budget: '', passed: undefined };
}

const seconds = (number: number) => `${number.toFixed(1)} s`;

/** Generates a million rows that are not among the first million. */
function* newDomains(): Generator<GeneratedDomain> {
  let at = 0;
  for (const row of generateDomains(2 * million))
    if (at++ >= million && !('reason' in listableName(row.name))) yield row;
}

/** Files in COPY's format, by table. */
type CopyFiles = Record<'domains' | 'listings', string>;

async function writeFiles(csv: string, copies: CopyFiles): Promise<void> {
  await writeCsvFile(csv, (row) => row);
  await pipeline(Readable.from(toChunks(newDomains(), toCopyRow)), createWriteStream(copies.domains));
  await pipeline(Readable.from(toChunks(newDomains(), toListingRows)), createWriteStream(copies.listings));
}

async function writeCsvFile(path: string, change: (row: GeneratedDomain) => GeneratedDomain): Promise<void> {
  const line = (row: GeneratedDomain) => csvRow(toCells(change(row)));
  await pipeline(Readable.from(toChunks(newDomains(), line, csvRow(csvColumns))), createWriteStream(path));
}

const csvColumns = [
  'domain',
  'source',
  'sourceDetails',
  'description',
  'niche',
  'domainRating',
  'outboundLinks',
  'cost',
];
const copyColumns =
  'name, source, source_details, description, niche, domain_rating, outbound_links, cost, tld, risk_level';

const toCells = (row: GeneratedDomain) => [
  row.name,
  row.source,
  row.sourceDetails,
  row.description,
  row.niche,
  row.domainRating,
  row.outboundLinks,
  row.cost,
];

const toCopyRow = (row: GeneratedDomain) => formatCopyRow([...toCells(row), row.tld, row.riskLevel]);

/** Formats a listing for each source. The ids of the sources are as many as their names. */
function toListingRows({ name, source, cost, addedAt, updatedAt }: GeneratedDomain): string {
  const rows = source.split(', ').map((one) => formatCopyRow([name, toSourceId(one), addedAt, updatedAt, cost]));
  return rows.join('');
}

const sourceIds = new Map<string, number>();

function toSourceId(name: string): number {
  const id = sourceIds.get(name) ?? sourceIds.size + 1;
  sourceIds.set(name, id);
  return id;
}

function* toChunks(
  rows: Iterable<GeneratedDomain>,
  line: (row: GeneratedDomain) => string,
  head = '',
): Generator<string> {
  let text = head;
  for (const row of rows) {
    text += line(row);
    if (text.length < 262_144) continue;
    yield text;
    text = '';
  }
  yield text;
}

async function copySeconds({ pool }: BenchDatabase, { domains, listings }: CopyFiles): Promise<number> {
  const client = await pool.connect();
  const copy = (path: string, target: string) =>
    pipeline(createReadStream(path), client.query(copyFrom(`copy ${target} from stdin`)));
  try {
    const start = performance.now();
    await copy(domains, `domains (${copyColumns})`);
    await copy(listings, 'listings (name, source_id, first_seen_at, last_seen_at, price)');
    return (performance.now() - start) / 1000;
  } finally {
    client.release();
  }
}

/** Runs a whole import, from the uploaded file to the completed run. */
async function importFile({ url }: BenchDatabase, path: string, folder: string) {
  const { db, pool, close } = openDatabase(url, (error) => console.error(error.message));
  const log = pino({ level: 'error' });
  const context = { db, pool, databaseUrl: url, log, files: await openFiles(folder), now: () => new Date() };
  const { path: filePath, bytes: fileBytes } = await context.files.save(createReadStream(path));
  const [admin] = await db.selectFrom('users').select('id').limit(1).execute();
  const id = await insertImport(db, {
    userId: admin?.id ?? null,
    addedBy: 'bench',
    fileName: 'bench.csv',
    filePath,
    fileBytes,
  });
  const idle = process.memoryUsage.rss();
  let peak = idle;
  const sampler = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 50);
  const start = performance.now();
  await runImport(context, id, new AbortController().signal);
  const elapsedSeconds = (performance.now() - start) / 1000;
  clearInterval(sampler);
  const row = await findImport(db, id);
  await close();
  if (row?.status !== 'completed' || row.failedCount > 0) throw new Error(`The import failed: ${JSON.stringify(row)}`);
  console.error(`  ${(await stat(path)).size} bytes: ${row.message} ${seconds(elapsedSeconds)}`);
  return { seconds: elapsedSeconds, peakMegabytes: Math.round((peak - idle) / 1024 / 1024) };
}
