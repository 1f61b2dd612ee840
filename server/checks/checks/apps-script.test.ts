import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FetchOptions, type FetchResult, openSpreadsheet } from './apps-script.fixtures.ts';
import { startKeyApp } from './key-app.fixtures.ts';

const { app, call, context, createDomain, createKey, usage } = await startKeyApp();
await createDomain('parent.example', { source: 'adsy' });
await createDomain('bücher.example', { source: 'adsy' });

const address = 'https://links.example';
let key = (await createKey()).value;
let calls: { path: string; options: FetchOptions }[] = [];
let waits: number[] = [];
let whileWaiting = async (_ms: number) => {};

async function fetch(url: string, options: FetchOptions): Promise<FetchResult> {
  const { origin, pathname } = new URL(url);
  if (origin === 'https://moved.example') return { status: 301, headers: { Location: address }, body: '<html>' };
  if (origin === 'https://other.example') return { status: 200, headers: {}, body: '<!doctype html>' };
  if (origin !== address) return { problem: `DNS error: ${url}` };
  calls.push({ path: pathname, options });
  const { statusCode, headers, body } = await app.inject({
    method: options.method === 'post' ? 'POST' : 'GET',
    url: pathname,
    headers: { host: 'links.example', 'content-type': options.contentType, ...options.headers },
    ...(options.payload && { payload: options.payload }),
  });
  return { status: statusCode, headers, body };
}

const open = () =>
  openSpreadsheet({
    fetch,
    sleep: (ms) => {
      waits.push(ms);
      return whileWaiting(ms);
    },
  });
const { run, calculate, enter } = await open();
const column = (names: readonly unknown[]) => names.map((name) => [name]);
const sentNames = () => calls.map(({ options }) => JSON.parse(options.payload ?? '{}').domains as string[]);
const today = new Date().toISOString().slice(0, 10);
const sold = ['high', 'probable', 'sold.example', 2, today];

beforeEach(async () => {
  whileWaiting = async () => {};
  await context.pool.query('delete from api_keys');
  key = (await createKey()).value;
  await enter(address, key);
  [calls, waits] = [[], []];
});

afterEach(() => {
  vi.useRealTimers();
});

test('a range returns a row for each cell: risk, confidence, listed domain, sources and date', async () => {
  const names = ['sold.example', 'clean.example', 'shop.parent.example', 'BÜCHER.example', 'straße.example', ' '];
  expect(await calculate(column(names))).toEqual([
    sold,
    ['not listed', '', '', '', ''],
    ['low', 'reported', 'parent.example', 1, today],
    ['low', 'reported', 'xn--bcher-kva.example', 1, today],
    ['not listed', '', '', '', ''],
    ['', '', '', '', ''],
  ]);
  expect(calls).toMatchObject([
    { path: '/api/v1/check/bulk', options: { method: 'post', headers: { 'X-API-Key': key }, followRedirects: false } },
  ]);
});

test('a single cell returns one row, and empty cells cause no call', async () => {
  expect(await calculate('sold.example')).toEqual([sold]);
  calls = [];
  expect(await calculate(column(['', null, '  ']))).toEqual(Array.from({ length: 3 }, () => ['', '', '', '', '']));
  expect(await calculate('')).toEqual([['', '', '', '', '']]);
  expect(calls).toEqual([]);
});

test('the second argument selects the columns, as a text or a range', async () => {
  expect(await calculate('sold.example', 'since, Risk')).toEqual([[today, 'high']]);
  expect(await calculate('sold.example', [['domain', 'sources']])).toEqual([['sold.example', 2]]);
  expect(await calculate('sold.example', '')).toEqual([sold]);
  expect(await calculate('clean.example', 'domain')).toEqual([['']]);
  await expect(calculate('sold.example', 'risk,price')).rejects.toThrow(
    'There is no column "price". Use risk, confidence, domain, sources, since.',
  );
});

test('an invalid name gives the sentence of the API in the first column, and does not affect others', async () => {
  expect(await calculate(column(['hello', 'sold.example', 42, '192.0.2.1', '__proto__']), 'domain, risk')).toEqual([
    ['This is not a domain name: enter a name such as example.com.', ''],
    ['sold.example', 'high'],
    [expect.stringMatching(/\.$/), ''],
    ['This is an IP address: enter a domain name such as example.com.', ''],
    ['This is not a domain name: enter a name such as example.com.', ''],
  ]);
});

test('duplicates and URLs of one host are sent once, and unusual URLs unchanged', async () => {
  const names = [
    'sold.example',
    ' sold.example ',
    'https://sold.example/offer?a=1',
    'http://sold.example',
    'https://user@sold.example:8443/x',
    'https://bücher.example/ä#b',
  ];
  const risks = ['high', 'high', 'high', 'high', 'high', 'low'];
  expect(await calculate(column(names), 'risk')).toEqual(column(risks));
  expect(sentNames()).toEqual([['sold.example', 'https://user@sold.example:8443/x', 'bücher.example']]);
});

test('a page of 500 long texts fits into one call', async () => {
  const names = Array.from({ length: 500 }, (_, i) => `${i}${'界'.repeat(20_000)}`);
  const rows = await calculate(column(names), 'risk');
  expect(new Set(rows.flat())).toEqual(new Set(['This is not a domain name: enter a name such as example.com.']));
  expect(calls).toHaveLength(1);
});

test('results are cached, and clearing the cache or changing the settings checks again', async () => {
  await calculate(column(['sold.example', 'hello']));
  await calculate(column(['hello', 'sold.example', 'clean.example']));
  expect(sentNames()).toEqual([['sold.example', 'hello'], ['clean.example']]);
  const { shown } = await run('clearLinksieveCache');
  expect(shown).toEqual(['The cache is empty. A formula is calculated again when one of its cells changes.']);
  await calculate('sold.example');
  await enter(address, key);
  await calculate('sold.example');
  expect(sentNames().slice(2)).toEqual([['sold.example'], undefined, ['sold.example']]);
});

test('1,200 names take three calls, and the results before the daily limit are kept for the next day', async () => {
  const { calculate, enter } = await open();
  await enter(address, key);
  calls = [];
  const names = Array.from({ length: 1200 }, (_, i) => `name-${i}.example`);
  await expect(calculate(column(names))).rejects.toThrow(
    /^This key has used all of its 1,000 requests today\. The limit/,
  );
  expect(sentNames().map(({ length }) => length)).toEqual([500, 500, 200]);
  calls = [];
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 });
  expect(await calculate(column(names), 'risk')).toEqual(column(names.map(() => 'not listed')));
  expect(sentNames()).toEqual([names.slice(1000)]);
});

test('after 429, the script waits as long as the response says', async () => {
  await context.pool.query('update api_keys set usage_day = $1, daily_usage = 1000', [today]);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(`${today}T23:59:57Z`) });
  whileWaiting = async (ms) => {
    vi.setSystemTime(Date.now() + ms);
  };
  expect(await calculate('sold.example', 'risk')).toEqual([['high']]);
  expect([waits, calls.length]).toEqual([[3000], 2]);
});

test('after an error of the server, the script repeats the call with growing waits until it would take too long', async () => {
  const rename = (from: string, to: string) => context.pool.query(`alter table ${from} rename to ${to}`);
  await rename('domains', 'domains_gone');
  await expect(calculate('sold.example')).rejects.toThrow('Something went wrong on our side. Please try again.');
  expect(waits).toEqual([1000, 2000, 4000, 8000]);
  waits = [];
  whileWaiting = async () => {
    if (waits.length === 2) await rename('domains_gone', 'domains');
  };
  expect(await calculate('sold.example', 'risk')).toEqual([['high']]);
  expect(waits).toEqual([1000, 2000]);
  expect((await usage(key)).dailyUsage).toBe(1);
});

test('a formula without settings, with a wrong key or a wrong address says what to do', async () => {
  const { calculate: calculateFirst } = await open();
  await expect(calculateFirst('sold.example')).rejects.toThrow(
    'Choose Linksieve > Settings in the menu, and enter the address and an API key.',
  );
  expect(await calculateFirst('')).toEqual([['', '', '', '', '']]);
  const wrongSettings: [string, string, string][] = [
    [
      address,
      'lsv_wrong',
      'This API key is not valid. Copy it again from the API Keys tab of your account, or create another one. Then enter it in Linksieve > Settings.',
    ],
    [
      'https://moved.example',
      key,
      'https://moved.example responded with status 301, but not like Linksieve. Check the address in Linksieve > Settings.',
    ],
    [
      'https://other.example',
      key,
      'https://other.example responded with status 200, but not like Linksieve. Check the address in Linksieve > Settings.',
    ],
    [
      'https://gone.example',
      key,
      'Google could not reach https://gone.example/api/v1/check/bulk. Check the address in Linksieve > Settings. It must be public. (DNS error: https://gone.example/api/v1/check/bulk)',
    ],
  ];
  for (const [wrongAddress, wrongKey, sentence] of wrongSettings) {
    const { shown } = await enter(wrongAddress, wrongKey);
    expect(shown.at(-1)).toBe(sentence.replaceAll('/check/bulk', '/usage'));
    await expect(calculate('sold.example')).rejects.toThrow(sentence);
  }
});

test('the menu edits the settings, which are checked, and a key is kept only for its address', async () => {
  expect((await run('onOpen')).shown).toEqual(['Settings…: editLinksieveSettings', 'Clear cache: clearLinksieveCache']);
  const [addressText, keyText, result] = (await enter('', '')).shown;
  expect(addressText).toContain('Leave this empty to keep https://links.example.');
  expect(keyText).toMatch(
    /Leave this empty to keep the current one\..*Everyone who can edit this spreadsheet can use this key/s,
  );
  expect(keyText).not.toContain(key);
  expect(result).toBe('Linksieve is ready. 1000 of 1000 requests are left today.');
  expect((await enter('http://links.example')).shown.at(-1)).toBe('The address must start with https://.');
  for (const replies of [[null], ['https://gone.example', null]]) await enter(...replies);
  expect(await calculate('sold.example', 'risk')).toEqual([['high']]);
  expect((await enter(`${address}/api/docs?x#y`, '')).shown.at(-1)).toMatch(/^Linksieve is ready/);
  await enter('https://gone.example', '');
  await enter(address, '');
  await expect(calculate('sold.example')).rejects.toThrow('Choose Linksieve > Settings in the menu');
});

test('functions of the script cannot show the key in a cell', async () => {
  const script = await call('GET', '/linksieve-sheets.js');
  expect([script.statusCode, script.headers['content-type']]).toEqual([200, 'application/javascript; charset=utf-8']);
  const names = [...script.body.matchAll(/^function (\w+)/gm)].map(([, name = '']) => name);
  expect(names.filter((name) => !name.endsWith('_'))).toEqual([
    'LINKSIEVE',
    'onOpen',
    'editLinksieveSettings',
    'clearLinksieveCache',
  ]);
});
