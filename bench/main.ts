import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { analyzeMeasurement } from './analyze.ts';
import { startBenchServer } from './bench-server.ts';
import { checksMeasurement } from './checks.ts';
import { importMeasurement } from './import.ts';
import type { Measurement, Row } from './measurement.ts';
import { defaultDomains, type Options, readOptions } from './options.ts';
import { pagesMeasurement } from './pages.ts';
import { reportMeasurement } from './report.ts';
import { searchMeasurement } from './search.ts';
import { watchMeasurement } from './watch.ts';

/** All measurements, in the order of the table. */
const measurements: Measurement[] = [
  analyzeMeasurement,
  importMeasurement,
  searchMeasurement,
  checksMeasurement,
  pagesMeasurement,
  reportMeasurement,
  watchMeasurement,
];

const usage = `npm run bench -- [--only NAME[,NAME]] [--domains N] [--data FOLDER]

  --only     measurements to run: ${measurements.map(({ name }) => name).join(', ')}
  --domains  number of listed domains in the large database (default: ${defaultDomains})
  --data     folder that keeps the databases for the next run; without it, they are built for this run and removed`;

let options: Options;
try {
  options = readOptions(
    process.argv.slice(2),
    measurements.map(({ name }) => name),
  );
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}\nFor help, run: npm run bench -- --help`);
  process.exit(2);
}
if (options.help) console.log(usage);
else await run(options);

async function run({ names, domains, dataFolder }: Options): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'linksieve-bench-'));
  const data = dataFolder ?? join(folder, 'data');
  await mkdir(data, { recursive: true });
  const server = await startBenchServer(data);
  try {
    const rows: Row[] = [];
    for (const { name, run } of measurements.filter(({ name }) => names.includes(name))) {
      console.error(`measuring ${name} …`);
      rows.push(...(await run({ domains, database: server.database, folder })));
    }
    console.log(formatTable(rows));
    if (rows.some(({ passed }) => passed === false)) process.exitCode = 1;
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function formatTable(rows: Row[]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const verdict = ({ passed }: Row) => (passed === undefined ? '' : passed ? 'met' : '**missed**');
  return [
    line(['work', 'ours', 'peer', 'ratio', 'budget', 'verdict']),
    line(['---', '---:', '---:', '---:', '---:', '---']),
    ...rows.map((row) => line([row.work, row.ours, row.peer, row.ratio, row.budget, verdict(row)])),
  ].join('\n');
}
