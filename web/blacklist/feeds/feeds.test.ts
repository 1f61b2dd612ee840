import { expect, test } from 'vitest';
import type { CatalogueEntry } from '#shared/blacklist/feeds.ts';
import { describeSelection, listRecommendedKeys } from './feeds.tsx';

const buildEntry = (key: string, change: Partial<CatalogueEntry> = {}): CatalogueEntry => ({
  key,
  group: 'disavow',
  name: key,
  description: '',
  url: `https://lists.example/${key}.txt`,
  homepage: 'https://lists.example/',
  licence: 'MIT',
  kind: 'block',
  sourceKind: 'list',
  family: null,
  approximateSize: 1000,
  intervalHours: 24,
  isRecommended: false,
  subscribed: false,
  ...change,
});

test('a selection is summed up by the domains that its lists list and protect', () => {
  const entries = [
    buildEntry('a', { approximateSize: 18_100 }),
    buildEntry('b', { approximateSize: 1 }),
    buildEntry('sites', { kind: 'allow', sourceKind: null, approximateSize: 500 }),
  ];
  expect(describeSelection(entries, [])).toBe('No lists selected');
  expect(describeSelection(entries, ['b'])).toBe('1 list selected: about 1 domain');
  expect(describeSelection(entries, ['sites'])).toBe('1 list selected: about 500 protected sites');
  expect(describeSelection(entries, ['a', 'sites', 'gone'])).toBe(
    '2 lists selected: about 18,000 domains, 500 protected sites',
  );
});

test('recommended lists that are already subscribed are not selected again', () => {
  const entries = [
    buildEntry('a', { isRecommended: true }),
    buildEntry('b', { isRecommended: true, subscribed: true }),
    buildEntry('c'),
  ];
  expect(listRecommendedKeys(entries)).toEqual(['a']);
});
