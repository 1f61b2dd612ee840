import { createCipheriv, createHmac, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Context } from '../../context.ts';
import { openSecretKey, replaceKeyFile, type SecretKey } from '../../platform/db/secret-key.ts';
import { sign } from '../../platform/http/signature.ts';
import { getFeedOwner, toFeedPath } from '../../reports/alert-feed/alert-feed.ts';
import { toUnsubscribePath, verifyUnsubscribeToken } from '../../reports/digests/unsubscribe.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { listKeysOfUser } from '../api-keys/api-keys.ts';
import { signRequest } from '../webhooks/secret.ts';
import { runKeyCommand } from './key-commands.ts';
import { startSetup } from './second-factor/second-factor.ts';

const { call, context, signUp } = await startTestApp({ ALLOW_PRIVATE_ADDRESSES: '1' });
const { config, db } = context;
const user = await signUp();
await call('POST', '/api/api-keys', { as: user.cookie, body: { name: 'script' } });
const hook = { url: 'http://127.0.0.1:9/hook', events: ['alert.created'] };
const { id: hookId } = (await call('POST', '/api/webhooks', { as: user.cookie, body: hook })).json();
await call('POST', `/api/webhooks/${hookId}/secret`, { as: user.cookie });
await startSetup(context, user.id);
const [shown] = await listKeysOfUser(context, user.id);

/** Runs the command as a new process would: with the keys that are stored now. */
async function rotate(changes: Partial<Context> = {}, isRunning = false): Promise<string> {
  let printed = '';
  const current = { ...context, secretKey: await openSecretKey(config), ...changes };
  await runKeyCommand(current, { isRunning }, (line) => {
    printed = line;
  });
  return printed;
}

const stored = () => readFile(join(config.dataDir, 'secret-key'), 'utf8');
const alone = (key: SecretKey): SecretKey => ({ ...key, previous: undefined });

/** Expects that a key alone, without the one before, decrypts every value. */
async function expectReadable(secretKey: SecretKey): Promise<void> {
  expect(await listKeysOfUser({ ...context, secretKey }, user.id)).toMatchObject([{ keyValue: shown?.keyValue }]);
  const secrets = await db.selectFrom('webhooks').select(['secret', 'old_secret as old']).executeTakeFirstOrThrow();
  const request = { eventId: 'evt_1', body: '{}', now: new Date() };
  const sealed = { userId: user.id, secret: secrets.secret, oldSecret: secrets.old ?? undefined };
  expect(signRequest(secretKey, sealed, request)?.['webhook-signature']?.split(' ')).toHaveLength(2);
}

test('rotating encrypts everything with a new key, also what earlier versions encrypted with the key itself', async () => {
  const old = await openSecretKey(config);
  const nonce = randomBytes(12);
  const row = await db.selectFrom('api_keys').select('hash').executeTakeFirstOrThrow();
  const cipher = createCipheriv('aes-256-gcm', old.current, nonce);
  cipher.setAAD(Buffer.from(`api key of user ${user.id} ${row.hash?.toString('hex')}`));
  const text = Buffer.concat([cipher.update(shown?.keyValue ?? '', 'utf8'), cipher.final()]);
  await db
    .updateTable('api_keys')
    .set({ sealed: Buffer.concat([nonce, cipher.getAuthTag(), text]) })
    .execute();
  expect(await listKeysOfUser(context, user.id)).toMatchObject([{ keyValue: shown?.keyValue }]);

  expect(await rotate()).toContain('Values encrypted with the new secret key: 4.');
  const rotated = await openSecretKey(config);
  expect(rotated.previous).toEqual(old.current);
  expect(rotated.current).not.toEqual(old.current);
  await expectReadable(alone(rotated));
  expect(await listKeysOfUser({ ...context, secretKey: old }, user.id)).toMatchObject([{ keyValue: null }]);
  const events = await db.selectFrom('audit_events').select('event').where('event', 'like', 'Rotated%').execute();
  expect(events).toHaveLength(1);
});

test('an interrupted rotation continues with the same key', async () => {
  const before = await openSecretKey(config);
  const started = await replaceKeyFile(config.dataDir, before);
  expect(await listKeysOfUser({ ...context, secretKey: started }, user.id)).toMatchObject([
    { keyValue: shown?.keyValue },
  ]);
  const file = await stored();
  expect(await rotate()).toContain('Values encrypted with the new secret key: 4.');
  expect(await stored()).toBe(file);
  await expectReadable(alone(started));
});

test('while Linksieve runs with the key file, or uses another database, nothing is rotated', async () => {
  const file = await stored();
  expect(await rotate({}, true)).toContain('Stop it, and run this command again.');
  const other = { config: { ...config, databaseUrl: 'postgres://elsewhere' } };
  expect(await rotate(other)).toContain('Set SECRET_KEY to a new key');
  expect(await stored()).toBe(file);
  process.exitCode = 0;
});

test('with SECRET_KEY, the values of SECRET_KEY_PREVIOUS are encrypted again, and others are left and counted', async () => {
  const before = await openSecretKey(config);
  const secretKey = { current: randomBytes(32), previous: before.current };
  const settings = { ...config, secretKey: secretKey.current.toString('hex') };
  await db
    .updateTable('second_factors')
    .set({ secret: randomBytes(60) })
    .execute();
  const printed = await rotate({ config: settings, secretKey });
  expect(printed).toContain('Values encrypted with the new secret key: 3.');
  expect(printed).toContain('Values that neither key can decrypt, left unchanged: 1.');
  await expectReadable(alone(secretKey));
  expect(await rotate({ config: settings, secretKey: alone(secretKey) })).toContain('Set SECRET_KEY to a new key');
  process.exitCode = 0;
});

test('links of the previous key and of earlier versions work until that key is removed', async () => {
  const old = { current: randomBytes(32), previous: undefined };
  const rotated = { current: randomBytes(32), previous: old.current };
  const token = toUnsubscribePath(old, user.id).split('/').at(-1) ?? '';
  expect(verifyUnsubscribeToken(rotated, token)).toBe(user.id);
  expect(verifyUnsubscribeToken(alone(rotated), token)).toBeUndefined();
  const legacy = createHmac('sha256', old.current).update(`unsubscribe:${user.id}`).digest('base64url');
  expect(verifyUnsubscribeToken(old, `${user.id}-${legacy}`)).toBe(user.id);
  expect(verifyUnsubscribeToken(rotated, `${user.id}-${legacy}`)).toBe(user.id);
  const feed = /([^/]+)\.xml$/.exec(toFeedPath(old, user.id, 1))?.[1] ?? '';
  expect(await getFeedOwner({ ...context, secretKey: rotated }, feed, '192.0.2.1')).toBe(user.id);
  await expect(getFeedOwner({ ...context, secretKey: alone(rotated) }, feed, '192.0.2.1')).rejects.toThrow();
});

test('a signature of one use is not valid for another', async () => {
  const key = await openSecretKey(config);
  const uses = ['alert feeds', 'devices', 'setup link', 'sign-in challenges', 'unsubscribe links'] as const;
  expect(new Set(uses.map((use) => sign(key, use, 'same text'))).size).toBe(uses.length);
});
