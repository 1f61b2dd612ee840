import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readOptions } from './options.ts';

const names = ['analyze', 'search', 'pages'];

test('all measurements run on ten million domains by default', () => {
  expect(readOptions([], names)).toEqual({ help: false, names, domains: 10_000_000, dataFolder: undefined });
});

test('--only, --domains and --data are read', () => {
  const args = ['--only', 'search,pages', '--domains', '500', '--data', 'databases'];
  expect(readOptions(args, names)).toEqual({
    help: false,
    names: ['search', 'pages'],
    domains: 500,
    dataFolder: resolve('databases'),
  });
});

test.each([
  [['--only', 'serch'], "There is no measurement named 'serch'. Use one or more of: analyze, search, pages."],
  [['--only', 'search,'], "There is no measurement named ''."],
  [['--domains', 'many'], '--domains must be a whole number, 1 or greater.'],
  [['--domains', '0'], '--domains must be a whole number, 1 or greater.'],
  [['--all'], "Unknown option '--all'"],
])('%j throws an error with a sentence', (args, sentence) => {
  expect(() => readOptions(args, names)).toThrow(sentence);
});
