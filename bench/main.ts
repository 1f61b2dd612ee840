import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { startBenchServer } from './bench-server.ts';
import { formatTable } from './format.ts';
import { type BenchRun, measure, type Result } from './measurement.ts';
import { measurements } from './measurements.ts';
import { defaultDomains, type Options, readOptions } from './options.ts';

const usage = `npm run bench -- [options]

  --only NAME[,NAME]  measurements to run: ${measurements.map(({ name }) => name).join(', ')}
  --domains N         number of listed domains in the large database (default: ${defaultDomains}). With this option,
                      'import' imports only into that database.
  --data FOLDER       folder that keeps the databases for the next run; without it, they are built for this run and removed
  --minutes N         minutes for which 'load' watches the server without other work (default: 3)
  --json FILE         write the results to this file too; bench/curves.ts draws several of them
  --smoke             try all measurements without a browser on small files, without verdicts`;

let options: Options;
try {
  options = readOptions(process.argv.slice(2), measurements);
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}\nFor help, run: npm run bench -- --help`);
  process.exit(2);
}
if (options.help) console.log(usage);
else await run(options);

async function run({ names, domains, sizes, dataFolder, jsonFile, isSmoke }: Options): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'linksieve-bench-'));
  const data = dataFolder ?? join(folder, 'data');
  await mkdir(data, { recursive: true });
  const server = await startBenchServer(data);
  const results: Result[] = [];
  try {
    for (const measurement of measurements.filter(({ name }) => names.includes(name))) {
      console.error(`measuring ${measurement.name} …`);
      results.push(...(await measure(measurement, { domains, sizes, database: server.database, folder })));
    }
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
  // Times of small files have no meaning.
  const shown: Result[] = isSmoke ? results.map(({ met: _, budget: __, ...result }) => result) : results;
  console.log(formatTable(shown));
  if (jsonFile) await writeFile(jsonFile, `${JSON.stringify(toRun(shown), undefined, 2)}\n`);
  if (shown.some(({ met }) => met === false)) process.exitCode = 1;
}

function toRun(results: Result[]): BenchRun {
  const [cpu] = cpus();
  return {
    date: new Date().toISOString(),
    machine: {
      processors: `${cpus().length} × ${cpu?.model}`,
      memoryGb: Math.round(totalmem() / 1024 ** 3),
      node: process.version,
    },
    results,
  };
}
