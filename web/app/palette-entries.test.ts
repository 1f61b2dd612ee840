import { Search } from 'lucide-react';
import { expect, it } from 'vitest';
import { groupsOf, matching, type PaletteEntry } from './palette-entries.ts';

const entry = (group: PaletteEntry['group'], label: string, more: Partial<PaletteEntry> = {}): PaletteEntry => ({
  group,
  label,
  Icon: Search,
  run: () => undefined,
  ...more,
});

const entries = [
  entry('Blacklist', 'Check a domain: dark casino', { typed: true }),
  entry('Pages', 'Risk Assessment', { words: 'toxicity' }),
  entry('Theme', 'Dark theme'),
  entry('Pages', 'Privacy Policy'),
];

it('an entry is found by words of its label, its group and its further words, in any order and case', () => {
  const found = (query: string) => matching(entries.slice(1), query).map(({ label }) => label);
  expect(found('THEME dark')).toEqual(['Dark theme']);
  expect(found('toxi')).toEqual(['Risk Assessment']);
  expect(found('pages')).toEqual(['Risk Assessment', 'Privacy Policy']);
  expect(found('')).toHaveLength(3);
  expect(found('dark casino')).toEqual([]);
});

it('what is made from the typed text is always found', () => {
  expect(matching(entries, 'dark casino').map(({ label }) => label)).toEqual(['Check a domain: dark casino']);
});

it('the places of the entries count through the groups as they are drawn', () => {
  const drawn = groupsOf(entries).flatMap(([, group]) => group);
  expect(groupsOf(entries).map(([name]) => name)).toEqual(['Blacklist', 'Pages', 'Theme']);
  expect(drawn.map(({ at }) => at)).toEqual([0, 1, 2, 3]);
  expect(drawn[2]?.label).toBe('Privacy Policy');
});
