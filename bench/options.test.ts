import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readOptions } from './options.ts';
import { fullSizes, smokeSizes } from './sizes.ts';

const names = ['analyze', 'search', 'pages'];
const measurements = names.map((name) => ({ name, ...(name === 'pages' && { needsBrowser: true as const }) }));

test('all measurements run on ten million domains by default', () => {
  expect(readOptions([], measurements)).toEqual({
    help: false,
    isSmoke: false,
    names,
    domains: 10_000_000,
    sizes: fullSizes,
    dataFolder: undefined,
    jsonFile: undefined,
  });
});

test('--only, --domains, --data, --minutes and --json are read', () => {
  const args = '--only search,pages --domains 500 --data databases --minutes 60 --json 500.json'.split(' ');
  expect(readOptions(args, measurements)).toEqual({
    help: false,
    isSmoke: false,
    names: ['search', 'pages'],
    domains: 500,
    sizes: { ...fullSizes, importedInto: [], load: { ...fullSizes.load, minutes: 60 } },
    dataFolder: resolve('databases'),
    jsonFile: resolve('500.json'),
  });
});

test('--smoke runs the measurements without a browser on small files', () => {
  expect(readOptions(['--smoke'], measurements)).toMatchObject({
    isSmoke: true,
    names: ['analyze', 'search'],
    domains: 100_000,
    sizes: smokeSizes,
  });
});

test.each([
  [['--only', 'serch'], "There is no measurement named 'serch'. Use one or more of: analyze, search, pages."],
  [['--only', 'search,'], "There is no measurement named ''."],
  [['--domains', 'many'], '--domains must be a whole number, 1 or greater.'],
  [['--domains', '0'], '--domains must be a whole number, 1 or greater.'],
  [['--minutes', '0'], '--minutes must be greater than 0 and at most 180.'],
  [['--minutes', '181'], '--minutes must be greater than 0 and at most 180.'],
  [['--all'], "Unknown option '--all'"],
])('%j throws an error with a sentence', (args, sentence) => {
  expect(() => readOptions(args, measurements)).toThrow(sentence);
});
