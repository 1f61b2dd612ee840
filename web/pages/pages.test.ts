import { expect, test } from 'vitest';
import { fullTitle } from '../lib/use-title.ts';
import { publicHeads } from './pages.tsx';

const heads = Object.entries(publicHeads);

test.each(heads)(
  'what result pages show of %s is neither cut nor filled up by them',
  (_path, { title, description }) => {
    expect(fullTitle(title).length).toBeLessThanOrEqual(60);
    expect(description.length).toBeGreaterThanOrEqual(110);
    expect(description.length).toBeLessThanOrEqual(155);
  },
);

test.each(heads)('the title of %s is written as headings are', (_path, { title }) => {
  for (const word of title.split(/[ -]/)) expect(word).toMatch(/^(?:[A-Z]\w*:?|and|for|of|the)$/);
});

test('no two pages say the same of themselves', () => {
  expect(new Set(heads.map(([, { title }]) => title)).size).toBe(heads.length);
  expect(new Set(heads.map(([, { description }]) => description)).size).toBe(heads.length);
});
