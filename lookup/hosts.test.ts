import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalizeHost } from '../server/hostnames/hosts/hosts.ts';
import { toHost } from './hosts.ts';

test.each([
  ['Example.COM', 'example.com'],
  ['www.shop.co.uk.', 'shop.co.uk'],
  ['bücher.test', 'xn--bcher-kva.test'],
  ['my_blog.name.blogspot.com', 'my_blog.name.blogspot.com'],
  ['co.uk', 'co.uk'],
])('the host of %s is %s', (text, host) => {
  expect(toHost(text)).toBe(host);
});

test.each([
  'localhost',
  '192.0.2.1',
  '[2001:db8::1]',
  'report.pdf',
  'node.js',
  'a b.com',
  'a.com/x',
  'a.com?b',
  'u@a.com',
  '',
])('%j is no host', (text) => {
  expect(toHost(text)).toBeUndefined();
});

test('the host of a web address is the one that the server finds in it', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.webUrl(),
        fc.domain().map((name) => `http://www.${name}/`),
      ),
      (address) => {
        const { hostname } = new URL(address);
        expect(toHost(hostname)).toBe(normalizeHost(hostname));
      },
    ),
  );
});
