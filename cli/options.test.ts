import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readOptions, UsageError } from './options.ts';

const environment = { LINKSIEVE_API_KEY: 'lsv_key', LINKSIEVE_URL: 'https://site.example' };

test.each<[args: string[], sentence: string]>([
  [['list.txt', '--color'], "Unknown option '--color'."],
  [['list.txt', 'more.txt'], 'Specify only one file.'],
  [[], 'Specify the file with the domains'],
  [['list.txt', '--out', 'out.xls'], 'must end in .csv or .json'],
  [['list.txt', '--url', 'ftp://site.example'], 'must be an http or https address'],
  [['list.txt', '--url', 'https://site.example/tool/'], 'use https://site.example.'],
  [['list.txt', '--own', 'mine'], '--own must be the domain of your website'],
  [['list.txt', '--own', 'mine,example'], '--own must be the domain of your website'],
  [['list.txt', '--tries', 'many'], '--tries must be a whole number, 0 or greater.'],
])('%j throws a usage error', (args, sentence) => {
  const read = () => readOptions(args, environment);
  expect(read).toThrow(UsageError);
  expect(read).toThrow(sentence);
});

test('options override environment variables', () => {
  const args = ['list.txt', '--key', 'lsv_other', '--url', 'https://other.example/', '--tries', '0', '--no-wait'];
  expect(readOptions(['list.txt'], environment)).toMatchObject({
    file: resolve('list.txt'),
    key: 'lsv_key',
    origin: 'https://site.example',
    wait: true,
    tries: 8,
  });
  expect(readOptions(args, environment)).toMatchObject({
    key: 'lsv_other',
    origin: 'https://other.example',
    wait: false,
    tries: 0,
  });
});

test('the error for a missing key says where to get one', () => {
  const read = () => readOptions(['list.txt'], {});
  expect(read).toThrow(UsageError);
  expect(read).toThrow('An API key is required');
});

test('a key with invalid characters throws an error that does not contain the key', () => {
  const read = () => readOptions(['list.txt'], { LINKSIEVE_API_KEY: 'lsv_secret\u00e9key' });
  expect(read).toThrow(UsageError);
  expect(read).not.toThrow('secret');
});
