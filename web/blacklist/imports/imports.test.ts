import { expect, test } from 'vitest';
import type { ImportStatus } from '#shared/blacklist/imports.ts';
import { ApiError } from '../../platform/api.ts';
import { failedRowsText, heldRowsText, importText } from './import-progress.tsx';
import { progressStep } from './imports.tsx';
import { importFailedToast, uploadErrorToast } from './send-import.ts';

const job: ImportStatus = {
  jobId: '00000000-0000-4000-8000-000000000000',
  status: 'processing',
  dryRun: false,
  progress: 40,
  processedCount: 1300,
  imported: 1200,
  updated: 30,
  unchangedCount: 0,
  failedCount: 0,
  heldCount: 0,
  totalCount: null,
  timeTaken: 14.04,
  message: '',
  fileName: 'domains.csv',
  dateCreated: '2026-11-20T10:00:00.000Z',
  failures: [],
  held: [],
};

test('shows the rows and seconds of a running import', () => {
  expect(importText(job)).toBe('Processing... 1,230 imported so far (14s elapsed)');
});

test('shows the counts of a finished import', () => {
  expect(importText({ ...job, status: 'completed', timeTaken: 15.2 })).toBe('1,200 imported, 30 updated (15.2s)');
  expect(importText({ ...job, status: 'failed', imported: 0, updated: 0, timeTaken: 0.3 })).toBe(
    'Nothing was imported (0.3s)',
  );
  expect(importText({ ...job, status: 'completed', imported: 0, updated: 0, unchangedCount: 3 })).toBe(
    '0 imported, 0 updated (14s). 3 unchanged.',
  );
  expect(failedRowsText(1, false)).toBe('1 row was not imported');
});

test('adds the hint about columns once, and only if the file may be the cause', () => {
  expect(importFailedToast('The file is empty.').description).toBe(
    "The file is empty. Please check that the CSV has the required 'domain' and 'source' columns.",
  );
  const named = "The file needs a header row with at least the columns 'domain' and 'source'.";
  expect(uploadErrorToast(new ApiError(400, 'invalid', named))?.description).toBe(named);
  expect(uploadErrorToast(new ApiError(0, 'unreachable', 'No connection.'))?.description).toBe('No connection.');
});

test('progresses in steps of 10, 20, 50, 75 and 100 percent', () => {
  const steps = [
    progressStep({ sending: { share: 0 } }),
    progressStep({ sending: { share: 0.9 } }),
    progressStep({ job: { status: 'processing', progress: 0 } }),
    progressStep({ job: { status: 'processing', progress: 80 } }),
    progressStep({ job: { status: 'completed', progress: 100 } }),
  ];
  expect(steps).toEqual([10, 20, 50, 75, 100]);
});

test('says how many rows are held for review', () => {
  expect(heldRowsText(1, false)).toBe('1 row is held for review.');
  expect(heldRowsText(1200, false)).toBe('1,200 rows are held for review.');
});

test('shows what an import would do while and after a file is checked', () => {
  const check = { ...job, dryRun: true, unchangedCount: 5 };
  expect(importText(check)).toBe('Checking... 1,300 rows read so far (14s elapsed)');
  expect(importText({ ...check, status: 'completed', imported: 1 })).toBe(
    '1 new, 30 changed, 5 unchanged (14s). Nothing was imported.',
  );
  expect(heldRowsText(2, true)).toBe('2 rows would be held for review.');
  expect(failedRowsText(1, true)).toBe('1 row would be rejected');
});
