import { expect, test } from 'vitest';
import { buildRequest, findSilence } from './removal-request.ts';

test('the text names each page once, and asks for one link or several', () => {
  const request = { domain: 'seller.example', own: 'shop.example' };
  expect(buildRequest({ ...request, pages: ['https://seller.example/a', 'https://seller.example/a'] })).toContain(
    'This page of seller.example links to shop.example:\n\nhttps://seller.example/a\n\nPlease remove the link, or mark it',
  );
  expect(buildRequest({ ...request, pages: ['https://seller.example/a', 'https://seller.example/b'] })).toContain(
    'These pages of seller.example link to shop.example:\n\nhttps://seller.example/a\nhttps://seller.example/b\n',
  );
  expect(buildRequest({ ...request, pages: [] })).toContain('seller.example links to shop.example.\n');
});

test('silence counts from the fourteenth day on', () => {
  const now = Date.parse('2026-11-30T12:00:00Z');
  expect(findSilence('2026-11-17T12:00:00Z', now)).toBeUndefined();
  expect(findSilence('2026-11-16T12:00:00Z', now)).toBe(14);
});
