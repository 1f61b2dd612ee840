import { expect, test } from 'vitest';
import { toEvidenceLink } from './listings.tsx';

test.each([
  ['https://seller.example/offers?id=7', 'https://seller.example/offers?id=7', 'seller.example/offers?id=7'],
  ['http://seller.example', 'http://seller.example/', 'seller.example'],
])('%s is a link to evidence', (url, href, text) => {
  expect(toEvidenceLink(url)).toEqual({ href, text });
});

test('the text of a long link is truncated', () => {
  expect(toEvidenceLink(`https://seller.example/${'a'.repeat(100)}`)?.text).toMatch(/^seller\.example\/a{45}…$/);
});

test.each(['javascript:alert(1)', 'data:text/html,x', 'ftp://seller.example/', 'seller.example', '', '//x.example'])(
  '"%s" is no link',
  (url) => {
    expect(toEvidenceLink(url)).toBeUndefined();
  },
);
