import { expect, test } from 'vitest';
import { websiteName } from './start-analysis.ts';

test('a website is named without scheme, www and path', () => {
  expect(websiteName(' https://www.Example.com/blog?x#y ')).toBe('Example.com');
  expect(websiteName('example.com')).toBe('example.com');
  expect(websiteName('https://')).toBe('');
  expect(websiteName('www.')).toBe('');
});
