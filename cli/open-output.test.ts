import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openOutput } from './open-output.ts';
import { WrongUse } from './stop.ts';

const folder = await mkdtemp(join(tmpdir(), 'open-output-test-'));
afterAll(() => rm(folder, { recursive: true }));
const inFolder = (name: string) => join(folder, name);

/** Expects that a file after --out is refused, whichever verdicts it is for. */
async function expectRefusal(out: string, sentence: string): Promise<void> {
  for (const onlyListed of [false, true]) {
    const opening = openOutput({ file: inFolder('list.txt'), out, onlyListed }, () => undefined);
    await expect(opening).rejects.toThrow(WrongUse);
    await expect(opening).rejects.toThrow(sentence);
  }
}

test('a file in a folder that is missing is refused', async () => {
  await expectRefusal(inFolder('nowhere/out.csv'), 'out.csv is not there.');
});

test('the file to read is refused', async () => {
  await writeFile(inFolder('list.txt'), 'sold.example\n');
  await expectRefusal(`${folder}/./list.txt`, 'are the same');
  expect(await readFile(inFolder('list.txt'), 'utf8')).toBe('sold.example\n');
});

test('a file that only has the name of a lock is kept', async () => {
  await writeFile(inFolder('noted.csv.lock'), 'mine');
  await expectRefusal(inFolder('noted.csv'), 'noted.csv.lock.');
  expect(await readFile(inFolder('noted.csv.lock'), 'utf8')).toBe('mine');
});
