import { expect, test } from 'vitest';
import { eventText } from './audit-log.tsx';

test.each([
  ['Made an admin', { id: 2, username: 'ada' }, 'ada (#2)'],
  ['Deleted a domain', { id: 5 }, '#5'],
  ['Deleted a domain', { id: 5, domain: 'casino.example' }, 'casino.example (#5)'],
  [
    'Transferred a website profile',
    { id: 1, domain: 'shop.example', from: null, to: 'ada' },
    'shop.example (#1), from no owner to ada',
  ],
  ['Deleted selected domains', { count: 1, domains: ['a.example'] }, '1 domain: a.example'],
  [
    'Deleted selected domains',
    { count: 7, domains: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] },
    '7 domains: a, b, c, d, e, …',
  ],
  ['Deleted all domains', { count: 1200 }, '1,200 domains'],
  [
    'Updated risk levels',
    { stats: { low: 1200, high: 4, medium: 5, veryHigh: 3 } },
    '3 very high, 4 high, 5 medium, 1,200 low',
  ],
  [
    'Changed a domain',
    {
      id: 5,
      domain: 'b.example',
      changed: { domain: { from: 'a.example', to: 'b.example' }, cost: { from: 'x', to: null } },
    },
    'b.example (#5), domain from “a.example” to “b.example”, cost from “x” to none',
  ],
  ['Started maintenance', { run: 4 }, 'Run #4'],
  ['Started maintenance', { run: 4, joined: true }, 'Run #4 was already in progress'],
  ['Imported domains', { jobId: '4711', file: 'list.csv', bytes: 2048 }, 'list.csv, 2 KB'],
  [
    'Imported domains',
    { jobId: '4711', file: 'list.csv', bytes: 2048, status: 'completed', imported: 1200, updated: 0, failed: 3 },
    'list.csv, 2 KB, imported 1,200, updated 0, failed 3',
  ],
  [
    'Imported domains',
    { jobId: '4711', file: 'list.csv', bytes: 2048, status: 'failed', imported: 0, updated: 0, failed: 0 },
    'list.csv, 2 KB, nothing was imported',
  ],
  [
    'Checked an import file',
    { jobId: '4711', file: 'list.csv', bytes: 2048, status: 'completed', imported: 1200, updated: 0, failed: 3 },
    'list.csv, 2 KB',
  ],
  ['Canceled an import', { jobId: '4711', file: 'list.csv', status: 'cancelled' }, 'list.csv, nothing was imported'],
  ['Exported domains', {}, 'The whole blacklist'],
  ['Exported domains', { search: 'casino', riskLevel: 'high' }, 'Filter: search “casino”, risk level “high”'],
  ['Exported domains', { tld: 'xyz', dateAdded: '2026-01-05' }, 'Filter: TLD “xyz”, added after “2026-01-05”'],
  ['Exported the audit log', {}, 'The whole log'],
  [
    'Exported the audit log',
    { act: 'Deleted a domain', person: 'ada' },
    'Filter: event “Deleted a domain”, user “ada”',
  ],
  [
    'Decided on a site submission',
    { id: 7, domain: 'casino.example', status: 'approved', outcome: 'added' },
    'casino.example (#7) was approved and added to the blacklist',
  ],
  [
    'Decided on a site submission',
    { id: 7, domain: 'a.example', status: 'approved', outcome: 'added', overruled: 'a.example is a well-known site.' },
    'a.example (#7) was approved and added to the blacklist, overruling “a.example is a well-known site.”',
  ],
  [
    'Decided on a site submission',
    { id: 7, domain: 'casino.example', status: 'rejected', reason: 'No offers.' },
    'casino.example (#7) was rejected: “No offers.”',
  ],
  ['Deleted a message', { id: 3, subject: 'Hello' }, 'Message #3, “Hello”'],
  [
    'Checked the proof of an appeal',
    { id: 9, name: 'www.Casino.example', domain: 'casino.example', verified: false },
    'casino.example (#9), verified no',
  ],
  [
    'Decided on an appeal',
    {
      id: 9,
      domain: 'a.casino.example',
      decision: 'delist',
      delisted: ['a.casino.example', 'casino.example'],
      heldCount: 2,
    },
    'a.casino.example (#9), decision “delist”, delisted a.casino.example, casino.example, held count 2',
  ],
  ['Decided on an appeal', { id: 9, domain: 'casino.example', delisted: [] }, 'casino.example (#9), delisted none'],
  ['Something new', { jobId: '4711', joined: true, owner: null }, 'job ID “4711”, joined yes, owner none'],
  ['Something new', {}, ''],
])('describes the event %s %j', (event, details, text) => {
  expect(eventText(event, details)).toBe(text);
});
