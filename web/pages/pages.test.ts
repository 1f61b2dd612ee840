import { expect, test } from 'vitest';
import { fullTitle } from '../lib/use-title.ts';
import { publicPageMeta } from './pages.tsx';

const entries = Object.entries(publicPageMeta);

test.each(entries)('title and description of %s have a length that search results show in full', (_path, meta) => {
  expect(fullTitle(meta.title).length).toBeLessThanOrEqual(60);
  expect(meta.description.length).toBeGreaterThanOrEqual(110);
  expect(meta.description.length).toBeLessThanOrEqual(155);
});

test.each(entries)('the title of %s is in title case', (_path, { title }) => {
  for (const word of title.split(/[ -]/)) expect(word).toMatch(/^(?:[A-Z]\w*:?|and|for|of|the)$/);
});

test('no two pages share a title or a description', () => {
  expect(new Set(entries.map(([, { title }]) => title)).size).toBe(entries.length);
  expect(new Set(entries.map(([, { description }]) => description)).size).toBe(entries.length);
});
