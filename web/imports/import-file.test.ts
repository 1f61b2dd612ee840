import { expect, test } from 'vitest';
import { fileProblem, isLarge } from './import-file.ts';

test('a file is refused by its name and its size', () => {
  const megabyte = 1024 * 1024;
  expect(fileProblem({ name: 'a.txt', size: 1 })).toBe('Please upload a CSV file');
  expect(fileProblem({ name: 'A.CSV', size: 200 * megabyte })).toBeUndefined();
  expect(fileProblem({ name: 'a.csv', size: 200 * megabyte + 1 })).toBe('File size exceeds the limit (200MB)');
  expect(isLarge({ size: 50 * megabyte })).toBe(false);
  expect(isLarge({ size: 50 * megabyte + 1 })).toBe(true);
});
