import { expect, test } from 'vitest';
import type { ImportStatus } from '#shared/imports.ts';
import { fileProblem, isLarge } from './file-problem.ts';
import { failedWords, importWords, withColumnHint } from './import-words.ts';
import { riskUpdateWords } from './risk-update-words.ts';

const job: ImportStatus = {
  jobId: '00000000-0000-4000-8000-000000000000',
  status: 'processing',
  progress: 40,
  processedCount: 1300,
  imported: 1200,
  updated: 30,
  failedCount: 0,
  totalCount: null,
  timeTaken: 14.04,
  message: '',
  fileName: 'domains.csv',
  failures: [],
};

test('a running import says how many rows and seconds so far', () => {
  expect(importWords(job)).toBe('Processing... 1,200 imported so far (14s elapsed)');
});

test('a finished import says what it did', () => {
  expect(importWords({ ...job, status: 'completed', timeTaken: 15.2 })).toBe('1,200 imported, 30 updated (15.2s)');
  expect(failedWords(1)).toBe('1 row was not imported');
});

test('the hint about the columns is given once', () => {
  expect(withColumnHint('The file is empty.')).toBe(
    "The file is empty. Please check that the CSV has the required 'domain' and 'source' columns.",
  );
  const named = "The file needs a header row with at least the columns 'domain' and 'source'.";
  expect(withColumnHint(named)).toBe(named);
});

test('a file is refused by its name and its size', () => {
  const megabyte = 1024 * 1024;
  expect(fileProblem({ name: 'a.txt', size: 1 })).toBe('Please upload a CSV file');
  expect(fileProblem({ name: 'A.CSV', size: 200 * megabyte })).toBeUndefined();
  expect(fileProblem({ name: 'a.csv', size: 200 * megabyte + 1 })).toBe('File size exceeds the limit (200MB)');
  expect(isLarge({ size: 50 * megabyte })).toBe(false);
  expect(isLarge({ size: 50 * megabyte + 1 })).toBe(true);
});

test('an update of the risk levels is told with its time and counts', () => {
  const stats = { veryHigh: 3, high: 12, medium: 40, low: 9945 };
  expect(riskUpdateWords({ timeTaken: 1.23, stats })).toBe(
    'Done in 1.2s. Very high: 3, high: 12, medium: 40, low: 9,945.',
  );
  expect(riskUpdateWords({ timeTaken: 0.02, stats })).toMatch(/^Done in less than 0.1s/);
});
