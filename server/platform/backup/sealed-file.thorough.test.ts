import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { Decrypter } from 'age-encryption';
import { beforeAll, expect, test, vi } from 'vitest';
import { readHashes, startBackupTests, testKeys } from './databases.fixtures.ts';
import { createBackupKeys } from './keys.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const { backUp, createDatabase, newPath, restore } = await startBackupTests();

const passphrase = 'a long passphrase of an operator';
const secretKey = { current: Buffer.alloc(32, 7), previous: undefined };
const encryptingKeys = createBackupKeys(passphrase, secretKey);
const otherKeys = createBackupKeys('another long passphrase of somebody', {
  current: Buffer.alloc(32, 8),
  previous: undefined,
});

let source: Awaited<ReturnType<typeof createDatabase>>;
/** A signed backup, and the same as an encrypted one of several chunks. */
let signed: string;
let encrypted: string;

beforeAll(async () => {
  source = await createDatabase({ isMigrated: true });
  // Random texts, which cannot be compressed.
  await source.client.query(`
    insert into families (name)
    select (select string_agg(md5(random()::text || i || j), '') from generate_series(1, 10) as j) from generate_series(1, 2000) as i`);
  signed = newPath();
  await backUp(source.client, signed);
  encrypted = newPath();
  await backUp(source.client, encrypted, encryptingKeys);
});

/** Expects that a file is refused with a sentence, and that the database stays as it is. */
async function expectRefusal(bytes: Buffer, sentence: string, keys = testKeys): Promise<void> {
  const path = newPath();
  await writeFile(path, bytes);
  const target = await createDatabase();
  await expect(restore(path, target.url, { keys })).rejects.toThrow(`${path} ${sentence}`);
  expect(await readHashes(target.client)).toEqual({});
}

async function expectRestored(path: string, options: Parameters<typeof restore>[2]): Promise<void> {
  const target = await createDatabase();
  await restore(path, target.url, options);
  expect((await readHashes(target.client)).families).toBe((await readHashes(source.client)).families);
}

const changeByte = (bytes: Buffer, place: number) => {
  const changed = Buffer.from(bytes);
  changed[place] = (changed[place] ?? 0) ^ 1;
  return changed;
};

/** Does what anyone with write access can do: changes the file, and recomputes the SHA-256 at its end. */
function forge(bytes: Buffer): Buffer {
  const end = bytes.length - 64;
  return Buffer.concat([
    bytes.subarray(0, end),
    Buffer.from(createHash('sha256').update(bytes.subarray(0, end)).digest('hex')),
  ]);
}

/** Removes the proof of origin, so that the file looks like one of an earlier version. */
function removeProof(bytes: Buffer): Buffer {
  const archive = Buffer.from(bytes.subarray(0, -128));
  archive.writeUInt16LE(64, archive.length - 2);
  return forge(Buffer.concat([archive, Buffer.alloc(64)]));
}

test('a modified backup is refused, although its checksum fits', async () => {
  const bytes = await readFile(signed);
  for (const place of [0, 100, bytes.length >> 1, bytes.length - 200, bytes.length - 70])
    await expectRefusal(forge(changeByte(bytes, place)), 'was written with another key, or was modified.');
  await expectRefusal(bytes, 'was written with another key, or was modified.', otherKeys);
  await expectRefusal(removeProof(bytes), 'does not prove where it comes from');
});

test('a backup without proof, as of earlier versions, is restored if the operator accepts it', async () => {
  const path = newPath();
  await writeFile(path, removeProof(await readFile(signed)));
  const steps: string[] = [];
  await expectRestored(path, { acceptUnverified: true, onStep: (step) => void steps.push(step) });
  expect(steps).toContain('The file does not prove where it comes from. You accepted it with --accept-unverified.');
  await expectRestored(signed, { keys: otherKeys, acceptUnverified: true });
});

test('accepting an unproved file does not accept a damaged one', async () => {
  const path = newPath();
  await writeFile(path, changeByte(await readFile(signed), 500));
  const target = await createDatabase();
  await expect(restore(path, target.url, { acceptUnverified: true })).rejects.toThrow('is damaged, incomplete');
});

test('an encrypted backup is restored with BACKUP_KEY alone, and contains no readable text', async () => {
  await expectRestored(encrypted, { keys: createBackupKeys(passphrase, undefined) });
  const bytes = await readFile(encrypted, 'latin1');
  expect(bytes.startsWith('age-encryption.org/v1\n')).toBe(true);
  for (const text of ['manifest.json', 'tables/']) expect(bytes).not.toContain(text);
});

test('the program age decrypts an encrypted backup to one that still proves its origin', async () => {
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  const path = newPath();
  await writeFile(path, await decrypter.decrypt(await readFile(encrypted)));
  await expectRestored(path, { keys: createBackupKeys(passphrase, undefined) });
});

test('a backup from before BACKUP_KEY was set is restored with the secret key', async () => {
  await expectRestored(signed, { keys: encryptingKeys });
});

test('an encrypted backup without its key, or with another one, is refused', async () => {
  const bytes = await readFile(encrypted);
  await expectRefusal(bytes, 'is encrypted. Nothing was restored. Set BACKUP_KEY');
  const target = await createDatabase();
  await expect(restore(encrypted, target.url, { keys: otherKeys, acceptUnverified: true })).rejects.toThrow(
    `BACKUP_KEY is not the key of ${encrypted}, or the file was modified.`,
  );
  expect(await readHashes(target.client)).toEqual({});
});

test('an encrypted backup with a changed header, or with changed, moved, missing or more chunks, is refused', async () => {
  const bytes = await readFile(encrypted);
  const headerEnd = bytes.indexOf('\n---') + 1;
  const payload = bytes.indexOf('\n', headerEnd) + 1 + 16;
  const chunk = 65_536 + 16;
  const chunks: Buffer[] = [];
  for (let start = payload; start < bytes.length; start += chunk) chunks.push(bytes.subarray(start, start + chunk));
  expect(chunks.length).toBeGreaterThan(3);
  const join = (...parts: (Buffer | undefined)[]) =>
    Buffer.concat([bytes.subarray(0, payload), ...parts.map((part) => part ?? Buffer.alloc(0))]);
  const [first, second, ...others] = chunks;
  const damaged: Buffer[] = [
    ...[payload, payload + chunk, bytes.length - 1].map((place) => changeByte(bytes, place)),
    join(second, first, ...others),
    join(first, first, ...others),
    join(first, ...others),
    join(...chunks.slice(0, -1)),
    ...[payload, payload + 10, payload + chunk, bytes.length - 1].map((end) => bytes.subarray(0, end)),
    Buffer.concat([bytes, Buffer.alloc(1)]),
    Buffer.concat([bytes, chunks.at(-1) ?? Buffer.alloc(0)]),
    // The nonce of the payload, and the last characters of the lines of the header.
    ...[payload - 1, payload - 18, headerEnd - 2].map((place) => changeByte(bytes, place)),
  ];
  for (const one of damaged) await expectRefusal(one, 'is damaged, incomplete or not a backup.', encryptingKeys);
  const target = await createDatabase();
  for (let place = 0; place < payload - 16; place += 13) {
    const path = newPath();
    await writeFile(path, changeByte(bytes, place));
    const refusal = restore(path, target.url, { keys: encryptingKeys });
    await expect(refusal).rejects.toThrow(/is damaged, incomplete|or the file was modified\./);
  }
  expect(await readHashes(target.client)).toEqual({});
});
