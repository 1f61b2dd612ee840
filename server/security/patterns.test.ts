import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { type SourcePattern, sourcePatterns } from './source-patterns.fixtures.ts';

const patterns = sourcePatterns();

/** Characters of a hostile text: what is linear or quadratic in them ends at once, what is worse does not end today. */
const length = 5000;
const patience = 20_000;

/** Tries texts on patterns in a thread of its own, which can be ended. It says which it is about to try. */
const thread = `
  const { parentPort, workerData } = require('node:worker_threads');
  for (const [index, { pattern, flags, texts }] of workerData.entries()) {
    for (const text of texts) {
      parentPort.postMessage([index, text]);
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
  expect(await stuckOn([sound, pattern, sound], 2000)).toMatch(/^bad on "a/);
  expect(await stuckOn([sound, sound], 2000)).toBeUndefined();
});

test('no pattern of the product explodes on a long hostile text', async () => {
  expect(await stuckOn(patterns, patience)).toBeUndefined();
}, 300_000);

/** The first pattern that did not come to an end, and the text it was tried on; undefined when all did. */
async function stuckOn(tried: readonly SourcePattern[], milliseconds: number): Promise<string | undefined> {
  const workerData = tried.map(({ pattern, flags }) => ({ pattern, flags, texts: hostileTexts(pattern) }));
  const worker = new Worker(thread, { eval: true, workerData });
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  let timer: NodeJS.Timeout | undefined;
  worker.on('message', ([index, text]: [number, string]) => {
    clearTimeout(timer);
    const stuck = `${tried[index]?.name} on ${JSON.stringify(text.slice(0, 20))}…`;
    timer = setTimeout(() => resolve(stuck), milliseconds);
  });
  worker.on('error', reject);
  worker.on('exit', () => resolve(undefined));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
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
