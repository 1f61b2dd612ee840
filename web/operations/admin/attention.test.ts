import { expect, test } from 'vitest';
import type { AdminStatus } from '#shared/operations/admin.ts';
import { listAttention } from './attention.ts';

const nothing: AdminStatus = {
  unreadMessages: 0,
  pendingSubmissions: 0,
  heldListings: 0,
  feeds: [],
  failedJobs: [],
  runningJobs: 0,
  hasUnknownProxy: false,
  replicaFailure: null,
  disk: { freeBytes: 50 * 1024 ** 3, totalBytes: 100 * 1024 ** 3 },
  backup: null,
  newerVersion: null,
};
const current: { total: number; lastUpdated: string | null } = { total: 1000, lastUpdated: '2026-11-23T10:00:00.000Z' };
const now = Date.parse('2026-11-24T10:00:00.000Z');
const listTexts = (status: Partial<AdminStatus>, blacklist = current) =>
  listAttention({ ...nothing, ...status }, blacklist, now).map(({ text }) => text);

test('nothing needs attention without failures and pending work', () => {
  expect(listTexts({ runningJobs: 2 })).toEqual([]);
});

const outcome: NonNullable<NonNullable<AdminStatus['backup']>['copy']> = {
  dateLast: '2026-11-23T11:00:00.000Z',
  bytes: 5000,
  failures: 0,
  error: null,
};
const tested: NonNullable<AdminStatus['backup']> = {
  intervalHours: 24,
  isEncrypted: false,
  ...outcome,
  copy: outcome,
  test: { ...outcome, rows: 10, tables: 2, seconds: 3, isFromBucket: true, obstacle: null },
};

test('a failed copy and a failed or old test restore of a backup need attention, an impossible one does not', () => {
  const list = (test: Partial<typeof tested.test>, copy: typeof tested.copy = outcome) =>
    listTexts({ backup: { ...tested, copy, test: { ...tested.test, ...test } } });
  expect(list({})).toEqual([]);
  expect(list({ dateLast: null }, null)).toEqual([]);
  expect(list({}, { ...outcome, failures: 1, error: 'Check BACKUP_S3_REGION.' })).toEqual([
    'The last backup could not be copied to the bucket. Check BACKUP_S3_REGION.',
  ]);
  expect(list({ failures: 1, error: 'The file is damaged.' })).toEqual([
    'The last test restore failed. The file is damaged.',
  ]);
  expect(list({ dateLast: '2026-11-01T10:00:00.000Z' })).toEqual(['No test restore has succeeded for 23 days.']);
  expect(
    listAttention(
      { ...nothing, backup: { ...tested, test: { ...tested.test, dateLast: null, obstacle: 'No right.' } } },
      current,
      now,
    ),
  ).toEqual([]);
});

test('backups need attention if the newest one failed, or is older than two intervals', () => {
  const good = tested;
  expect(listTexts({ backup: good })).toEqual([]);
  expect(listTexts({ backup: { ...good, dateLast: null } })).toEqual([]);
  expect(listTexts({ backup: { ...good, dateLast: '2026-11-22T09:00:00.000Z' } })).toEqual([
    'The last backup is 49 hours old. Check whether the worker runs.',
  ]);
  expect(listTexts({ backup: { ...good, failures: 1, error: 'The disk is full.' } })).toEqual([
    'The last backup failed. The disk is full.',
  ]);
});

test('problems come first, then pending work', () => {
  const feeds: AdminStatus['feeds'] = [
    { id: 1, name: 'Disavow list', state: 'review' },
    { id: 2, name: 'Spam hosts', state: 'failing' },
  ];
  const failedJobs: AdminStatus['failedJobs'] = [
    { kind: 'analysis', count: 2 },
    { kind: 'mail', count: 1 },
  ];
  const disk = { freeBytes: 3 * 1024 ** 3, totalBytes: 40 * 1024 ** 3 };
  const pending = { heldListings: 1200, pendingSubmissions: 1, unreadMessages: 3 };
  expect(listTexts({ ...pending, feeds, failedJobs, disk })).toEqual([
    'The disk is almost full: 3 GB of 40 GB free.',
    'Spam hosts cannot be downloaded.',
    '2 analyses failed.',
    '1 email could not be delivered.',
    'A copy of Disavow list needs review.',
    '1,200 listings held for review.',
    '1 pending submission.',
    '3 unread messages.',
  ]);
});

test('many feeds in one state are one item', () => {
  const feeds = [1, 2, 3, 4].map((id) => ({ id, name: `List ${id}`, state: 'failing' as const }));
  expect(listTexts({ feeds })).toEqual(['4 feeds cannot be downloaded.']);
  expect(listTexts({ feeds: feeds.slice(1) })).toHaveLength(3);
});

test('the blacklist needs attention when it is empty, or unchanged for more than 31 days', () => {
  expect(listTexts({}, { total: 0, lastUpdated: null })).toEqual(['The blacklist is empty.']);
  expect(listTexts({}, { ...current, lastUpdated: '2026-10-24T10:00:00.000Z' })).toEqual([]);
  expect(listTexts({}, { ...current, lastUpdated: '2026-10-23T10:00:00.000Z' })).toEqual([
    'The blacklist has not changed for 32 days.',
  ]);
});

test('a proxy that TRUST_PROXY does not name is a problem', () => {
  expect(listAttention({ ...nothing, hasUnknownProxy: true }, current, now)).toEqual([
    { isProblem: true, text: expect.stringMatching(/set TRUST_PROXY\.$/) },
  ]);
});

test('a newer version is listed after pending work', () => {
  const newerVersion = { version: '99.0.0', url: 'https://code.example/releases' };
  expect(listTexts({ newerVersion, unreadMessages: 1 })).toEqual([
    '1 unread message.',
    'Linksieve 99.0.0 is available.',
  ]);
});
