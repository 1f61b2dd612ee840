import { createReadStream } from 'node:fs';
import { appendFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import { pino } from 'pino';
import { runImport } from '#server/blacklist/imports/jobs.ts';
import { findImport, insertImport } from '#server/blacklist/imports/store.ts';
import { listableName } from '#server/hostnames/hosts/hosts.ts';
import { csvRow } from '#server/platform/csv/write-csv.ts';
import { formatCopyRow } from '#server/platform/db/copy.ts';
import { openDatabase } from '#server/platform/db/database.ts';
import { openFiles } from '#server/platform/files/files.ts';
import { runInProcess } from '#server/platform/processes/run-in-process.ts';
import { type GeneratedDomain, generateDomains } from './generate-domains.ts';
import type { BenchDatabase, BenchOptions, Measurement, Row } from './measurement.ts';
import { measureSeconds } from './statistics.ts';

const maxRatio = 1.5;

/** Imports domains. Peer: COPY of the same rows into the same indexed tables, domains and listings. */
export const importMeasurement: Measurement = { name: 'import', run };

async function run({ database, domains, sizes, folder }: BenchOptions): Promise<Row[]> {
  const count = sizes.imported;
  const files = await writeImportFiles(folder, Math.max(domains, ...sizes.importedInto), count);
  const rows: Row[] = [];
  for (const listed of new Set([...sizes.importedInto, domains])) {
    const toRow = (work: string, seconds: number): Row => ({
      work,
      domains: listed,
      unit: 's',
      ours: { value: seconds },
    });
    const peer = await copySeconds(await database(listed, 'copy'), files);
    const target = await database(listed, 'import');
    const { seconds, peakMb } = await importFile(target, files.csv, { folder, outcome: 'imported', count });
    const work = `import ${count.toLocaleString('en')} domains`;
    rows.push({
      ...toRow(work, seconds),
      peer: { name: 'COPY', value: peer },
      budget: { ratio: { max: maxRatio } },
    });
    rows.push({ work: `${work}: memory above idle`, domains: listed, unit: 'MB', ours: { worst: peakMb } });
    if (listed > 0) {
      const again = await importFile(target, files.csv, { folder, outcome: 'unchangedCount', count });
      rows.push(toRow('import them again', again.seconds));
    }
    const added = await importFile(target, files.csvOfOtherSource, { folder, outcome: 'updated', count });
    rows.push(toRow('add a source to all of them', added.seconds));
  }
  return rows;
}

/** The same domains for an import and, in COPY's format, for the tables. */
interface ImportFiles {
  csv: string;
  csvOfOtherSource: string;
  domains: string;
  listings: string;
}

/** Writes `count` generated domains that are not among the first `listed`. */
async function writeImportFiles(folder: string, listed: number, count: number): Promise<ImportFiles> {
  const files: ImportFiles = {
    csv: join(folder, 'import.csv'),
    csvOfOtherSource: join(folder, 'other-source.csv'),
    domains: join(folder, 'domains.copy'),
    listings: join(folder, 'listings.copy'),
  };
  const lines: Record<keyof ImportFiles, (row: GeneratedDomain) => string> = {
    csv: toCsvRow,
    csvOfOtherSource: (row) => toCsvRow({ ...row, source: ['another list'] }),
    domains: toCopyRow,
    listings: toListingRows,
  };
  for (const path of [files.csv, files.csvOfOtherSource]) await writeFile(path, csvRow(csvColumns));
  for (const rows of toBatches(newDomains(listed, count))) {
    for (const [name, line] of Object.entries(lines)) {
      await appendFile(files[name as keyof ImportFiles], rows.map(line).join(''));
    }
  }
  return files;
}

/** Writes a CSV of `count` generated domains that are not among the first `listed`, for an import. */
export async function writeImportFile(path: string, listed: number, count: number): Promise<void> {
  await writeFile(path, csvRow(csvColumns));
  for (const rows of toBatches(newDomains(listed, count))) {
    await appendFile(path, rows.map(toCsvRow).join(''));
  }
}

/** Generates domains that can be listed. About a quarter of the generated names have made-up endings. */
function* newDomains(listed: number, count: number): Generator<GeneratedDomain> {
  let [at, found] = [0, 0];
  for (const row of generateDomains(listed + 2 * count)) {
    if (at++ < listed || 'reason' in listableName(row.name)) continue;
    yield row;
    if (++found === count) return;
  }
}

const batchRows = 10_000;

function* toBatches(rows: Iterable<GeneratedDomain>): Generator<GeneratedDomain[]> {
  let batch: GeneratedDomain[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < batchRows) continue;
    yield batch;
    batch = [];
  }
  yield batch;
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
  row.sourceDetails,
  row.description,
  row.niche,
  row.domainRating,
  row.outboundLinks,
  row.cost,
];

const toCsvRow = (row: GeneratedDomain) => csvRow([row.name, row.source.join(', '), ...toCells(row)]);
const toCopyRow = (row: GeneratedDomain) => formatCopyRow([row.name, row.source, ...toCells(row), row.tld, 1]);

/** Formats a listing for each source. The ids of the sources are as many as their names. */
function toListingRows({ name, source, cost, addedAt, updatedAt }: GeneratedDomain): string {
  const rows = source.map((one) => formatCopyRow([name, toSourceId(one), addedAt, updatedAt, cost]));
  return rows.join('');
}

const sourceIds = new Map<string, number>();

function toSourceId(name: string): number {
  const id = sourceIds.get(name) ?? sourceIds.size + 1;
  sourceIds.set(name, id);
  return id;
}

async function copySeconds({ pool }: BenchDatabase, { domains, listings }: ImportFiles): Promise<number> {
  const client = await pool.connect();
  const copy = (path: string, target: string) =>
    pipeline(createReadStream(path), client.query(copyFrom(`copy ${target} from stdin`)));
  try {
    return await measureSeconds(async () => {
      await copy(domains, `domains (${copyColumns})`);
      await copy(listings, 'listings (name, source_id, first_seen_at, last_seen_at, price)');
    });
  } finally {
    client.release();
  }
}

/**
 * Runs a whole import, from the uploaded file to the completed run.
 * @throws an error unless it has this outcome for `count` rows
 */
async function importFile(
  { url }: BenchDatabase,
  path: string,
  { folder, outcome, count }: { folder: string; outcome: 'imported' | 'updated' | 'unchangedCount'; count: number },
) {
  const { db, pool, close } = openDatabase(url, (error) => console.error(error.message));
  const log = pino({ level: 'error' });
  const files = await openFiles(folder);
  const context = { db, pool, databaseUrl: url, runWork: runInProcess, log, files, now: () => new Date() };
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
  const seconds = await measureSeconds(() => runImport(context, id, new AbortController().signal));
  clearInterval(sampler);
  const row = await findImport(db, id);
  await close();
  // The guard holds a few names.
  const done = (row?.[outcome] ?? 0) + (row?.heldCount ?? 0);
  if (row?.status !== 'completed' || done !== count) throw new Error(`The import failed: ${JSON.stringify(row)}`);
  console.error(`  ${(await stat(path)).size} bytes: ${row.message} ${seconds.toFixed(1)} s`);
  return { seconds, peakMb: Math.round((peak - idle) / 1024 / 1024) };
}
