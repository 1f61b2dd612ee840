import { Search } from 'lucide-react';
import { expect, it } from 'vitest';
import { filterEntries, groupEntries, type PaletteEntry } from './palette-entries.ts';

const entry = (group: PaletteEntry['group'], label: string, more: Partial<PaletteEntry> = {}): PaletteEntry => ({
  group,
  label,
  Icon: Search,
  run: () => undefined,
  ...more,
});

const entries = [
  entry('Blacklist', 'Check a domain: dark casino', { alwaysShown: true }),
  entry('Pages', 'Risk Assessment', { keywords: 'toxicity' }),
  entry('Theme', 'Dark theme'),
  entry('Pages', 'Privacy Policy'),
];

it('finds an entry by words of its label, group and keywords, in any order and case', () => {
  const found = (query: string) => filterEntries(entries.slice(1), query).map(({ label }) => label);
  expect(found('THEME dark')).toEqual(['Dark theme']);
  expect(found('toxi')).toEqual(['Risk Assessment']);
  expect(found('pages')).toEqual(['Risk Assessment', 'Privacy Policy']);
  expect(found('')).toHaveLength(3);
  expect(found('dark casino')).toEqual([]);
});

it('always finds the entry made from the query', () => {
  expect(filterEntries(entries, 'dark casino').map(({ label }) => label)).toEqual(['Check a domain: dark casino']);
});

it('numbers the entries across groups in display order', () => {
  const shown = groupEntries(entries).flatMap(([, group]) => group);
  expect(groupEntries(entries).map(([name]) => name)).toEqual(['Blacklist', 'Pages', 'Theme']);
  expect(shown.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
  expect(shown[2]?.label).toBe('Privacy Policy');
});
