import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { isMailbox, pageLink } from './letter.ts';

test.each([
  ['localhost', 'http://localhost:3000/domains'],
  ['127.0.0.1', 'http://127.0.0.1:3000/domains'],
  ['::1', 'http://[::1]:3000/domains'],
])('on %s the link to a page is %s', (HOST, link) => {
  expect(pageLink(readConfig({}, { HOST }), '/domains')).toBe(link);
  const PUBLIC_URL = 'https://links.example';
  expect(pageLink(readConfig({}, { HOST, PUBLIC_URL }), '/domains')).toBe('https://links.example/domains');
});

test('an address that somebody made up for want of one is none', () => {
  expect(isMailbox('admin@localhost.localdomain')).toBe(false);
  expect(isMailbox('admin@LOCALHOST.LocalDomain')).toBe(false);
  expect(isMailbox('admin@localdomain.example')).toBe(true);
});
