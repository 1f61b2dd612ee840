import { expect, test } from 'vitest';
import { describe, listNames } from './suggestions.tsx';

const source = (name: string, domains: number) => ({ id: domains, name, domains, family: null });

test('a suggestion of two sources says which share of the smaller one is in the larger one', () => {
  const sources = [source('Matomo', 2300), source('Piwik', 9000)];
  const suggestion = { sources, shared: 2222, containment: 2222 / 2300 };
  expect(listNames(suggestion)).toBe('Matomo and Piwik');
  expect(describe(suggestion)).toBe("96% of Matomo's 2,300 domains are also in Piwik.");
});

test('a suggestion of more sources describes its weakest pair', () => {
  const sources = [source('A', 50), source('B', 1500), source('C', 4000), source('D', 5000)];
  const suggestion = { sources, shared: 1200, containment: 0.8 };
  expect(listNames({ sources: sources.slice(0, 3) })).toBe('A, B and C');
  expect(listNames(suggestion)).toBe('A, B and 2 more');
  expect(describe(suggestion)).toBe(
    "These 4 sources are linked in pairs. In the weakest pair, 80% of the smaller source's domains, 1,200, are also in the larger one.",
  );
});
