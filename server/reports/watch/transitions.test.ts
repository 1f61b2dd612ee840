import { expect, test } from 'vitest';
import { startTestApp } from '../../test-app.fixtures.ts';
import { buildWatchCalls, type Level } from './watch.fixtures.ts';

const testApp = await startTestApp();
const { createWebsite, setLevel, match, listAlerts } = buildWatchCalls(testApp);

type Changes = readonly (readonly [name: string, level?: Level])[];

let tests = 0;

/**
 * Each row: what happens, the blacklist before the export, its changes, and the alerts for a website with links from
 * shop.example-N.com, example-N.com and www.other-N.com. `N` is the number of the row.
 */
const transitions: [fact: string, before: Changes, changes: Changes, alerts: string[]][] = [
  ['a name is listed', [], [['example-N.com', 'high']], ['listed example-N.com: none to high']],
  [
    'a name is raised',
    [['example-N.com', 'low']],
    [['example-N.com', 'very high']],
    ['raised example-N.com: low to very high'],
  ],
  [
    'a name is lowered',
    [['example-N.com', 'high']],
    [['example-N.com', 'medium']],
    ['lowered example-N.com: high to medium'],
  ],
  ['a name is delisted', [['example-N.com', 'high']], [['example-N.com']], ['delisted example-N.com: high to none']],
  ['a subdomain is listed', [], [['shop.example-N.com', 'low']], ['listed shop.example-N.com: none to low']],
  ['a name without links is listed', [], [['elsewhere-N.com', 'high']], []],
  ['a subdomain without links is listed', [], [['blog.other-N.com', 'high']], []],
  [
    'a name is listed that www is removed from',
    [],
    [['other-N.com', 'medium']],
    ['listed other-N.com: none to medium'],
  ],
  ['a name is listed and delisted before the comparison', [], [['example-N.com', 'high'], ['example-N.com']], []],
  [
    'a name is delisted and listed again',
    [['example-N.com', 'high']],
    [['example-N.com'], ['example-N.com', 'high']],
    [],
  ],
  [
    'a name is raised twice',
    [['example-N.com', 'low']],
    [
      ['example-N.com', 'medium'],
      ['example-N.com', 'high'],
    ],
    ['raised example-N.com: low to high'],
  ],
  [
    'a subdomain with a higher risk takes over',
    [['example-N.com', 'low']],
    [['shop.example-N.com', 'high']],
    ['raised shop.example-N.com: low to high'],
  ],
  ['a subdomain with a lower risk changes nothing', [['example-N.com', 'high']], [['shop.example-N.com', 'low']], []],
  [
    'a parent with the same risk takes over',
    [
      ['example-N.com', 'high'],
      ['shop.example-N.com', 'high'],
    ],
    [['shop.example-N.com']],
    [],
  ],
  [
    'a parent with a lower risk takes over',
    [
      ['example-N.com', 'low'],
      ['shop.example-N.com', 'high'],
    ],
    [['shop.example-N.com']],
    ['lowered shop.example-N.com: high to low'],
  ],
  [
    'two names change',
    [['example-N.com', 'high']],
    [['example-N.com'], ['other-N.com', 'low']],
    ['listed other-N.com: none to low', 'delisted example-N.com: high to none'],
  ],
];

test.each(transitions)('when %s', async (_, before, changes, alerts) => {
  tests += 1;
  const named = (text: string) => text.replaceAll('-N', `-${tests}`);
  for (const [name, level] of before) await setLevel(named(name), level);
  const website = await createWebsite(
    ['https://shop.example-N.com/a', 'https://example-N.com/b', 'https://www.other-N.com/'].map(named),
  );
  await match();
  expect(await listAlerts(website)).toEqual([]);
  for (const [name, level] of changes) await setLevel(named(name), level);
  await match();
  expect(await listAlerts(website)).toEqual(alerts.map(named));
  await match();
  expect(await listAlerts(website)).toEqual(alerts.map(named));
});
