import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { type SourcePattern, sourcePatterns } from './source-patterns.fixtures.ts';

const patterns = sourcePatterns();

/** Characters of a hostile text: what is linear or quadratic in them ends at once, what is worse does not end today. */
const length = 5000;
const timeoutMs = 20_000;

/** Tries texts on patterns in a thread of its own, which can be ended. `at` is the pattern and the text that it is trying. */
const thread = `
  const { tried, at } = require('node:worker_threads').workerData;
  for (const [index, { pattern, flags, texts }] of tried.entries()) {
    for (const [number, text] of texts.entries()) {
      at.set([index, number]);
      new RegExp(pattern, flags.replace('y', '')).test(text);
      text.replace(new RegExp(pattern, flags), '');
    }
  }
`;

test('the collection finds patterns in every part of the product', () => {
  for (const part of ['server/', 'shared/', 'web/']) {
    expect(patterns.filter(({ name }) => name.startsWith(part)).length).toBeGreaterThan(0);
  }
});

test('the guard notices a pattern that explodes', async () => {
  const pattern = { name: 'bad', pattern: '^([a-z0-9-]+\\.?)+[a-z]{2,}$', flags: '' };
  const sound = { name: 'sound', pattern: '^a+$', flags: '' };
  expect(await stuckOn([sound, pattern], 1000)).toMatch(/^bad on "a/);
  expect(await stuckOn([sound, sound], timeoutMs)).toBeUndefined();
});

test('no pattern of the product explodes on a long hostile text', async () => {
  expect(await stuckOn(patterns, timeoutMs)).toBeUndefined();
}, 300_000);

/** The first pattern that did not come to an end, and the text it was tried on; undefined when all did. */
async function stuckOn(patterns: readonly SourcePattern[], milliseconds: number): Promise<string | undefined> {
  const tried = patterns.map(({ pattern, flags }) => ({ pattern, flags, texts: hostileTexts(pattern) }));
  const at = new Int32Array(new SharedArrayBuffer(8)).fill(-1);
  const worker = new Worker(thread, { eval: true, workerData: { tried, at } });
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  worker.on('error', reject);
  worker.on('exit', () => resolve(undefined));
  let before = '';
  const timer = setInterval(() => {
    const [index = -1, number = -1] = at;
    if (before === `${index} ${number}` && index >= 0) {
      resolve(`${patterns[index]?.name} on ${JSON.stringify(tried[index]?.texts[number]?.slice(0, 20))}…`);
    }
    before = `${index} ${number}`;
  }, milliseconds);
  try {
    return await promise;
  } finally {
    clearInterval(timer);
    await worker.terminate();
  }
}

/** Long runs of what a pattern likes, alone and by turns, behind what it begins with, before what it does not like. */
function hostileTexts(pattern: string): string[] {
  const classes: Record<string, string> = { '\\d': '1', '\\s': ' ', '\\w': 'a', '.': 'a', '\\t': '\t', '\\n': '\n' };
  const liked = new Set(['a', '1', ' ']);
  for (const [piece] of pattern.matchAll(/\\[dswtn.]|[^\\^$()[\]{}|?*+]/g)) {
    liked.add(classes[piece] ?? piece.replace('\\', ''));
  }
  const units = [...liked].slice(0, 12);
  const pairs = units.flatMap((one) => units.slice(0, 5).map((other) => one + other));
  const [start = ''] = /^[\w:/=<-]+/.exec(pattern.replace(/^\^/, '').replaceAll('\\', '')) ?? [];
  return [...new Set([...units, ...pairs])].flatMap((unit) => {
    const run = unit.repeat(Math.ceil(length / unit.length));
    return [`${run}\u0001`, `${start}${run}!\n`];
  });
}
