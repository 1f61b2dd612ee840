import { expect, test } from 'vitest';
import { findFilesProblem, toWebsiteDomain } from './start-analysis.ts';

test('the scheme, www and path are removed from a website domain', () => {
  expect(toWebsiteDomain(' https://www.Example.com/blog?x#y ')).toBe('Example.com');
  expect(toWebsiteDomain('example.com')).toBe('example.com');
  expect(toWebsiteDomain('https://')).toBe('');
  expect(toWebsiteDomain('www.')).toBe('');
});

test('files are too many or too large together', () => {
  const megabytes = (size: number) => ({ size: size * 1024 * 1024 });
  expect(findFilesProblem([])).toBeUndefined();
  expect(findFilesProblem([megabytes(200)])).toBeUndefined();
  expect(findFilesProblem([megabytes(201)])).toBe('File size exceeds the limit (200MB)');
  expect(findFilesProblem([megabytes(120), megabytes(81)])).toMatch(/^Together, the files exceed/);
  expect(findFilesProblem(Array.from({ length: 21 }, () => megabytes(1)))).toBe('Choose up to 20 files at a time.');
});
