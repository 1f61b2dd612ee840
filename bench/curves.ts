import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Chart, drawChart, type Point } from './chart.ts';
import type { BenchRun } from './measurement.ts';

const usage = `npm run bench:curves -- FILE [FILE …] [--out FOLDER]

Draws how each measured number grows with the number of listed domains, as SVG files.

  FILE   results of npm run bench -- --json FILE, for at least two numbers of domains
  --out  folder of the charts (default: docs/performance)`;

/**
 * Returns a chart, by file name, for each measurement, statistic and unit, with a line for each row that was measured
 * for at least two numbers of domains. If several runs contain the same row, the newest counts.
 */
export function buildCharts(runs: readonly BenchRun[]): Record<string, Chart> {
  const numbers = runs
    .toSorted((a, b) => a.date.localeCompare(b.date))
    .flatMap(({ results }) => results)
    .flatMap(({ ours, ...result }) =>
      Object.entries(ours).map(([statistic, number]) => ({ ...result, statistic, number })),
    )
    // Logarithmic axes have no zero.
    .filter(({ domains, number }) => domains > 0 && number > 0);
  const charts: Record<string, Chart> = {};
  for (const [file, ofChart] of Map.groupBy(numbers, toFileName)) {
    const lines = [...Map.groupBy(ofChart, ({ work }) => work)]
      .map(([name, ofLine]) => ({ name, points: toPoints(ofLine) }))
      .filter(({ points }) => points.length > 1);
    const [first] = ofChart;
    if (first && lines.length > 0) charts[file] = { title: toTitle(first), unit: first.unit, lines };
  }
  return charts;
}

interface Named {
  measurement: string;
  statistic: string;
  unit: string;
}

const toTitle = ({ measurement, statistic }: Named) =>
  statistic === 'value' ? measurement : `${measurement}: ${statistic}`;

const toFileName = (named: Named) => `${`${toTitle(named)} ${named.unit}`.replaceAll(/\W+/g, '-')}.svg`;

/** The last number for each number of domains. */
const toPoints = (numbers: readonly { domains: number; number: number }[]): Point[] =>
  [...new Map(numbers.map(({ domains, number }) => [domains, number]))].sort(([a], [b]) => a - b);

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { out: { type: 'string', default: 'docs/performance' }, help: { type: 'boolean', default: false } },
  });
  if (values.help || positionals.length === 0) return console.log(usage);
  const runs = await Promise.all(
    positionals.map(async (path): Promise<BenchRun> => JSON.parse(await readFile(path, 'utf8'))),
  );
  const charts = Object.entries(buildCharts(runs));
  if (charts.length === 0) {
    console.error('These files have no row that was measured for two numbers of domains.');
    process.exitCode = 2;
  }
  const folder = resolve(values.out);
  await mkdir(folder, { recursive: true });
  for (const [file, chart] of charts) {
    await writeFile(join(folder, file), drawChart(chart));
    console.log(join(folder, file));
  }
}

if (import.meta.main) await main();
