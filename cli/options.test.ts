import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readOptions, UsageError } from './options.ts';

const environment = { LINKSIEVE_API_KEY: 'lsv_key', LINKSIEVE_URL: 'https://site.example' };

test.each<[args: string[], sentence: string]>([
  [['list.txt', '--colour'], "Unknown option '--colour'."],
  [['list.txt', 'more.txt'], 'Name one file only.'],
  [[], 'Name the file with the domains'],
  [['list.txt', '--out', 'out.xls'], 'must end in .csv or .json'],
  [['list.txt', '--url', 'ftp://site.example'], 'must be an http or https address'],
  [['list.txt', '--url', 'https://site.example/tool/'], 'its address is https://site.example alone.'],
  [['list.txt', '--own', 'mine'], '--own takes the domain of your website'],
  [['list.txt', '--own', 'mine,example'], '--own takes the domain of your website'],
  [['list.txt', '--tries', 'many'], '--tries takes a whole number from 0.'],
])('%j is refused with a sentence', (args, sentence) => {
  const read = () => readOptions(args, environment);
  expect(read).toThrow(UsageError);
  expect(read).toThrow(sentence);
});

test('options replace what the environment says', () => {
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

test('without a key, the error says where to get one', () => {
  const read = () => readOptions(['list.txt'], {});
  expect(read).toThrow(UsageError);
  expect(read).toThrow('An API key is needed');
});

test('a key that cannot be sent is refused, and is not in the sentence', () => {
  const read = () => readOptions(['list.txt'], { LINKSIEVE_API_KEY: 'lsv_secret\u00e9key' });
  expect(read).toThrow(UsageError);
  expect(read).not.toThrow('secret');
});
