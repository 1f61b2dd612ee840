import { expect, test } from 'vitest';
import { edgeWidths, fitColumns, listColumns } from './columns.tsx';

const columns = listColumns(false);
const defaults = columns.filter(({ isOptional }) => !isOptional);
const idsAt = (width: number, chosen = defaults) => fitColumns(chosen, width, false).map(({ id }) => id);
const widthOf = (id: string, tableWidth: number) =>
  fitColumns(defaults, tableWidth, false).find((column) => column.id === id)?.width ?? 0;

test('all default columns fit on a screen of 1280 pixels, and the last ones are left out of a smaller table', () => {
  const all = ['domain', 'risk', 'source', 'confidence', 'niche', 'dr', 'cost', 'date', 'lastUpdated'];
  expect(idsAt(1246)).toEqual(all);
  expect(idsAt(958)).toEqual(all.slice(0, -2));
  expect(idsAt(0)).toEqual(['domain']);
});

test('the widths fill the table, and names get the most of the remaining width', () => {
  const sum = fitColumns(columns, 1646, true).reduce((total, { width }) => total + width, 0);
  expect(sum + edgeWidths.select + edgeWidths.actions).toBeCloseTo(1646);
  const gained = (id: string) => widthOf(id, 1646) - widthOf(id, 1246);
  expect(gained('domain')).toBeCloseTo(4 * gained('dr'));
  expect(gained('dr')).toBeGreaterThan(0);
});
