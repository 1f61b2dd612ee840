import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as echarts from 'echarts';
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

/** A point of a line: the number of listed domains, and what was measured there. */
type Point = [domains: number, value: number];

interface Chart {
  title: string;
  unit: string;
  lines: { name: string; points: Point[] }[];
}

const size = { width: 860, height: 380 };
/** Wide enough for the labels at the ends of the lines. */
const labelWidth = 300;
/** Colors with enough contrast on the card, also for people who are color-blind (Okabe and Ito). */
const colors = ['#0072b2', '#b34700', '#00795a', '#8f4a7d', '#5b5b5b', '#8a6d00', '#2b6a99', '#7a1f1f'];
const gray = { text: '#444', line: '#ddd' };

/**
 * Draws lines over the number of domains, both on logarithmic axes, as SVG on a white card that suits dark pages too.
 */
export function drawChart({ title, unit, lines }: Chart): string {
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, ...size });
  const values = lines.flatMap(({ points }) => points.map(([, value]) => value));
  const domains = lines.flatMap(({ points }) => points.map(([count]) => count));
  chart.setOption({
    animation: false,
    backgroundColor: '#fff',
    color: colors,
    title: { text: `${title} (${unit})`, left: 12, top: 8, textStyle: { fontSize: 14, color: '#111' } },
    grid: { left: 60, right: labelWidth, top: 52, bottom: 46 },
    xAxis: {
      ...axis('listed domains', domains),
      max: Math.max(...domains),
      nameGap: 28,
      axisLabel: { color: gray.text, formatter: formatCount },
    },
    yAxis: {
      ...axis(unit, values),
      nameGap: 44,
      axisLabel: { color: gray.text, formatter: (value: number) => value.toLocaleString('en') },
    },
    series: lines.map(({ name, points }, i) => ({
      name,
      type: 'line',
      data: points,
      symbolSize: 6,
      lineStyle: { width: 2, type: i < colors.length ? 'solid' : 'dashed' },
      endLabel: {
        show: true,
        formatter: '{a}',
        width: labelWidth - 20,
        overflow: 'break',
        color: 'inherit',
        fontSize: 11,
      },
      labelLayout: { moveOverlap: 'shiftY' },
    })),
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  // Removes the styles for a pointer, which an image does not use, and adds a title.
  const still = svg.replaceAll(/ class="[^"]*"| pointer-events="[^"]*"|<style.*?<\/style>\n?/gs, '');
  return `${still.replace('>', `><title>${title} (${unit})</title>`)}\n`;
}

/** A logarithmic axis whose ends are the powers of ten around the numbers. */
function axis(name: string, numbers: readonly number[]) {
  return {
    type: 'log' as const,
    name,
    nameLocation: 'middle' as const,
    nameTextStyle: { color: gray.text },
    min: 10 ** Math.floor(Math.log10(Math.min(...numbers))),
    max: 10 ** Math.ceil(Math.log10(Math.max(...numbers))),
    axisLine: { lineStyle: { color: gray.text } },
    splitLine: { lineStyle: { color: gray.line } },
  };
}

/** 10 thousand, 1 million. */
function formatCount(count: number): string {
  return count >= 1_000_000
    ? `${count / 1_000_000} million`
    : count >= 1000
      ? `${count / 1000} thousand`
      : String(count);
}

if (import.meta.main) await main();
