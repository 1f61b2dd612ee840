import { expect, test } from 'vitest';
import { freePort } from '#server/net/ports.ts';
import { openServer } from './ask-server.ts';
import { errorFault, type Fault, openWay } from './faulty-way.fixtures.ts';
import { CannotFinish } from './stop.ts';

const { signal } = new AbortController();
const readUsage = (origin: string, timeoutMs?: number) =>
  openServer({ origin, key: 'k', signal, ...(timeoutMs && { timeoutMs }) }).readUsage();
/** A server on which every request fails in this way. */
const openFaulty = (fault: Fault) => openWay('http://site.invalid', () => fault);

test.each<[fault: Fault, sentence: string]>([
  [{ status: 502 }, 'can not answer now (502).'],
  ['cut', 'can not be reached'],
  [errorFault(503, 'Busy. Please try again.'), 'Busy. Please try again.'],
  [errorFault(500, 'Our fault.'), 'Our fault.'],
])('a server is away after %j', async (fault, sentence) => {
  const { url } = await openFaulty(fault);
  expect(await readUsage(url)).toMatchObject({ kind: 'away', sentence: expect.stringContaining(sentence) });
});

test('a closed port counts as away', async () => {
  const sentence = expect.stringMatching(/can not be reached \(\w+\)\.$/);
  expect(await readUsage(`http://127.0.0.1:${await freePort()}`)).toMatchObject({ kind: 'away', sentence });
});

test('a server that does not answer in time is away', async () => {
  const { url } = await openFaulty('hang');
  const sentence = expect.stringContaining('did not answer within 0.05 seconds');
  expect(await readUsage(url, 50)).toMatchObject({ kind: 'away', sentence });
});

test.each<[fault: Fault, sentence: string]>([
  [{ status: 200, body: '<html>' }, 'does not answer as Linksieve does. Please check --url.'],
  [{ status: 404, body: 'nothing' }, 'answered with 404, as Linksieve does not.'],
  [
    { status: 301, headers: { location: 'https://site.invalid/' } },
    'sends callers to https://site.invalid/: use that --url.',
  ],
  [errorFault(403, 'Something went\u001b[31mwrong.'), 'Something went [31mwrong.'],
])('a server that is not Linksieve is reported: %j', async (fault, sentence) => {
  const { url, calls } = await openFaulty(fault);
  const reading = readUsage(url);
  await expect(reading).rejects.toThrow(sentence);
  await expect(reading).rejects.toThrow(CannotFinish);
  expect(calls).toHaveLength(1);
});

test('nothing is sent over an untrusted connection', async () => {
  const { url, calls } = await openFaulty(undefined);
  const reading = readUsage(url.replace('http:', 'https:'));
  await expect(reading).rejects.toThrow(/No trusted connection to https:.*\(ERR_SSL_\w+\)/);
  await expect(reading).rejects.toThrow(CannotFinish);
  expect(calls).toEqual([]);
});
