import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { listSourcePatterns, type SourcePattern } from './source-patterns.fixtures.ts';

const patterns = listSourcePatterns();

/** Length of a hostile text in characters. Linear and quadratic patterns finish at once; worse ones take days. */
const length = 5000;
const timeoutMs = 20_000;

/**
 * Code of a thread that tests patterns on texts. It can be terminated. `at` has the indexes of the current pattern and
 * text.
 */
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

test('listSourcePatterns finds patterns in server, shared and web', () => {
  for (const part of ['server/', 'shared/', 'web/']) {
    expect(patterns.filter(({ name }) => name.startsWith(part)).length).toBeGreaterThan(0);
  }
});

test('findSlowPattern reports a pattern with exponential backtracking', async () => {
  const slow = { name: 'slow', pattern: '^([a-z0-9-]+\\.?)+[a-z]{2,}$', flags: '' };
  const fast = { name: 'fast', pattern: '^a+$', flags: '' };
  expect(await findSlowPattern([fast, slow], 1000)).toMatch(/^slow on "a/);
  expect(await findSlowPattern([fast, fast], timeoutMs)).toBeUndefined();
});

test('no pattern of the product backtracks exponentially on a long hostile text', async () => {
  expect(await findSlowPattern(patterns, timeoutMs)).toBeUndefined();
}, 300_000);

/**
 * The first pattern that is still running after `timeoutMs`, with the start of its text. Undefined when all finish in
 * time.
 */
async function findSlowPattern(patterns: readonly SourcePattern[], timeoutMs: number): Promise<string | undefined> {
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
  }, timeoutMs);
  try {
    return await promise;
  } finally {
    clearInterval(timer);
    await worker.terminate();
  }
}

/**
 * Long repetitions of characters that the pattern matches, alone and in pairs, after its prefix and before a mismatch.
 */
function hostileTexts(pattern: string): string[] {
  const classes: Record<string, string> = { '\\d': '1', '\\s': ' ', '\\w': 'a', '.': 'a', '\\t': '\t', '\\n': '\n' };
  const matched = new Set(['a', '1', ' ']);
  for (const [piece] of pattern.matchAll(/\\[dswtn.]|[^\\^$()[\]{}|?*+]/g)) {
    matched.add(classes[piece] ?? piece.replace('\\', ''));
  }
  const units = [...matched].slice(0, 12);
  const pairs = units.flatMap((one) => units.slice(0, 5).map((other) => one + other));
  const [start = ''] = /^[\w:/=<-]+/.exec(pattern.replace(/^\^/, '').replaceAll('\\', '')) ?? [];
  return [...new Set([...units, ...pairs])].flatMap((unit) => {
    const run = unit.repeat(Math.ceil(length / unit.length));
    return [`${run}\u0001`, `${start}${run}!\n`];
  });
}
