import { expect, test } from 'vitest';
import { publicPageTitles } from './page-titles.ts';
import { fullTitle } from './platform/use-title.ts';

const entries = Object.entries(publicPageTitles);

test.each(entries)('the title of %s has a length that search results show in full', (_path, title) => {
  expect(fullTitle(title).length).toBeLessThanOrEqual(60);
});

test.each(entries)('the title of %s is in title case', (_path, title) => {
  for (const word of title.split(/[ -]/)) expect(word).toMatch(/^(?:[A-Z]\w*[:,]?|and|for|of|the)$/);
});

test('no two pages share a title', () => {
  expect(new Set(entries.map(([, title]) => title)).size).toBe(entries.length);
});
