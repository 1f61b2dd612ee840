import { expect, test } from 'vitest';
import { parseOrigin } from './installation.ts';
import { isSearchPage, readResultUrl } from './search-engines.ts';

const bing = (text: string) => `https://www.bing.com/ck/a?u=a1${Buffer.from(text).toString('base64url')}`;

test.each([
  ['https://shop.example/a?b=c', 'https://shop.example/a?b=c'],
  ['https://www.google.com/url?q=https://shop.example/&sa=U', 'https://shop.example/'],
  ['https://www.google.de/url?sa=t&url=http://shop.example/a', 'http://shop.example/a'],
  ['https://duckduckgo.com/l/?uddg=https%3A%2F%2Fshop.example%2Fa', 'https://shop.example/a'],
  [bing('https://shop.example/?q=>>?'), 'https://shop.example/?q=%3E%3E?'],
  ['https://www.bing.com/ck/a?p=1', 'https://www.bing.com/ck/a?p=1'],
  ['https://www.google.com/search?q=shop.example', 'https://www.google.com/search?q=shop.example'],
])('the result behind %s is %s', (href, url) => {
  expect(readResultUrl(href)?.href).toBe(url);
});

test.each([
  'javascript:void(0)',
  'mailto:a@shop.example',
  'not an address',
  'https://www.google.com/url?q=relative',
  bing('no address'),
])('%s leads to no result', (href) => {
  expect(readResultUrl(href)).toBeUndefined();
});

test('a damaged address of Bing is taken as it is', () => {
  const href = 'https://www.bing.com/ck/a?u=a1!!!';
  expect(readResultUrl(href)?.href).toBe(href);
});

test.each([
  ['https://www.google.com/search?q=a', true],
  ['http://www.google.co.uk/search', true],
  ['https://www.bing.com/search?q=a', true],
  ['https://duckduckgo.com/?q=a', true],
  ['https://www.google.com/maps', false],
  ['https://www.google.com.evil.example/search', false],
  ['https://mail.google.com/search', false],
])('whether %s is a results page: %s', (url, expected) => {
  expect(isSearchPage(new URL(url))).toBe(expected);
});

test.each([
  ['linksieve.example', 'https://linksieve.example'],
  [' https://Links.example:8443/extension?a=b ', 'https://links.example:8443'],
  ['localhost:3000', 'http://localhost:3000'],
  ['127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ['http://[::1]:3000/', 'http://[::1]:3000'],
])('the installation at %s is %s', (text, origin) => {
  expect(parseOrigin(text)).toBe(origin);
});

test.each(['', 'linksieve', 'ftp://linksieve.example', 'https://', 'a b.example'])('%j is no address', (text) => {
  expect(() => parseOrigin(text)).toThrow('Enter the address of your Linksieve');
});
