import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { type SourcePattern, sourcePatterns } from './source-patterns.fixtures.ts';

const patterns = sourcePatterns();

/** Characters of a hostile text: what is linear or quadratic in them ends at once, what is worse does not end today. */
const length = 5000;
const patience = 20_000;

/** Tries texts on a pattern in a thread of its own, which can be ended. */
const thread = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { pattern, flags, texts } = workerData;
  for (let i = 0; i < texts.length; i++) {
    parentPort.postMessage(i);
    new RegExp(pattern, flags.replace('y', '')).test(texts[i]);
    texts[i].replace(new RegExp(pattern, flags), '');
  }
`;

test('the collection finds patterns in every part of the product', () => {
  for (const part of ['server/', 'shared/', 'web/']) {
    expect(patterns.filter(({ name }) => name.startsWith(part)).length).toBeGreaterThan(0);
  }
});

test('the guard notices a pattern that explodes', async () => {
  const pattern = { name: 'bad', pattern: '^([a-z0-9-]+\\.?)+[a-z]{2,}$', flags: '' };
  expect(await stuckOn(pattern, 2000)).toContain('a');
});

test('no pattern of the product explodes on a long hostile text', async () => {
  const stuck: string[] = [];
  const waiting = patterns.values();
  const line = async () => {
    for (const pattern of waiting) {
      const text = await stuckOn(pattern, patience);
      if (text !== undefined) stuck.push(`${pattern.name} on ${JSON.stringify(text.slice(0, 20))}…`);
    }
  };
  await Promise.all([line(), line()]);
  expect(stuck).toEqual([]);
}, 300_000);

/** The text on which a pattern did not come to an end; undefined when it did on all. */
async function stuckOn({ pattern, flags }: SourcePattern, milliseconds: number): Promise<string | undefined> {
  const texts = hostileTexts(pattern);
  const worker = new Worker(thread, { eval: true, workerData: { pattern, flags, texts } });
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  let timer: NodeJS.Timeout | undefined;
  worker.on('message', (index: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => resolve(texts[index]), milliseconds);
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
