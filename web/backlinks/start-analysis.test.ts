import { expect, test } from 'vitest';
import { toWebsiteDomain } from './start-analysis.ts';

test('the scheme, www and path are removed from a website domain', () => {
  expect(toWebsiteDomain(' https://www.Example.com/blog?x#y ')).toBe('Example.com');
  expect(toWebsiteDomain('example.com')).toBe('example.com');
  expect(toWebsiteDomain('https://')).toBe('');
  expect(toWebsiteDomain('www.')).toBe('');
});
