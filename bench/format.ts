import type { Limit, Result, Unit } from './measurement.ts';

/** Formats results as a table in Markdown. Numbers include their units. */
export function formatTable(results: readonly Result[]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(['work', 'domains', 'ours', 'peer', 'ratio', 'budget', 'verdict']),
    line(['---', '---:', '---:', '---:', '---:', '---:', '---']),
    ...results.map((result) => line(toCells(result))),
  ].join('\n');
}

function toCells({ work, domains, unit, ours, peer, ratio, budget, met }: Result): string[] {
  return [
    work,
    domains.toLocaleString('en'),
    Object.entries(ours)
      .map(([statistic, number]) => withName(statistic, formatQuantity(number, unit)))
      .join(', '),
    peer ? `${peer.name} ${formatQuantity(peer.value, unit)}` : '',
    ratio === undefined ? '' : formatNumber(ratio),
    Object.entries(budget ?? {})
      .map(([name, limit]) => withName(name, formatLimit(limit, name === 'ratio' ? '×' : unit)))
      .join(', '),
    met === undefined ? '' : met ? 'met' : '**missed**',
  ];
}

const withName = (name: string, text: string) => (name === 'value' || name === 'ratio' ? text : `${name} ${text}`);

const formatLimit = (limit: Limit, unit: Unit | '×') =>
  'max' in limit ? `≤ ${limit.max} ${unit}` : `≥ ${limit.min} ${unit}`;

const formatQuantity = (number: number, unit: Unit) => `${formatNumber(number)} ${unit}`;

/** Three digits: 0.26, 9.12, 74.7, 300. Larger numbers have no decimals. */
export function formatNumber(number: number): string {
  const size = Math.abs(number);
  const maximumFractionDigits = size >= 100 ? 0 : size >= 10 ? 1 : 2;
  return number.toLocaleString('en', { maximumFractionDigits });
}
