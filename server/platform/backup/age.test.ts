import { randomBytes } from 'node:crypto';
import { open, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Decrypter, Encrypter } from 'age-encryption';
import { expect, test } from 'vitest';
import { createEncryption, openEncrypted } from './age.ts';

const passphrase = 'correct horse battery staple';
const path = join(tmpdir(), `linksieve-${randomBytes(8).toString('hex')}.age`);
/** Sizes around the ends of chunks. */
const sizes = [1, 65_535, 65_536, 65_537, 131_072, 300_000];

async function encrypt(content: Buffer): Promise<Buffer> {
  // Pieces that do not fit the chunks.
  const pieces = Array.from({ length: Math.ceil(content.length / 50_001) }, (_, i) =>
    content.subarray(i * 50_001, (i + 1) * 50_001),
  );
  return await buffer(Readable.from(pieces).pipe(await createEncryption(passphrase, 10)));
}

/** Decrypts a range with our code. */
async function decrypt(encrypted: Uint8Array, start: number, end: number): Promise<Buffer> {
  await writeFile(path, encrypted);
  await using file = await open(path);
  const opened = await openEncrypted(file, passphrase);
  if (!opened) throw new Error('The passphrase does not fit.');
  return Buffer.concat(await Array.fromAsync(opened.read(start, end)));
}

test.each(sizes)('the official age decrypts %i bytes that we encrypted', async (size) => {
  const content = randomBytes(size);
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  expect(content.equals(await decrypter.decrypt(await encrypt(content)))).toBe(true);
});

test.each(sizes)('we decrypt any part of %i bytes that the official age encrypted', async (size) => {
  const content = randomBytes(size);
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  encrypter.setScryptWorkFactor(10);
  const encrypted = await encrypter.encrypt(content);
  for (const [start, end] of [
    [0, size],
    [size - 1, size],
    [Math.floor(size / 3), Math.ceil(size / 2)],
    [Math.min(65_535, size - 1), Math.min(65_537, size)],
  ] as const)
    expect([start, end, content.subarray(start, end).equals(await decrypt(encrypted, start, end))]).toEqual([
      start,
      end,
      true,
    ]);
});
