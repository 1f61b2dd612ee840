import argon2 from '@node-rs/argon2';
import { dictionary } from '@zxcvbn-ts/language-common';
import { afterAll, expect, test, vi } from 'vitest';
import { passwordLimits } from '#shared/accounts/accounts.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { refuseWeakPassword } from './passwords.ts';

// passwords.ts calls argon2.verify through the default import, so that this spy records the calls.
const verify = vi.spyOn(argon2, 'verify');
afterAll(() => verify.mockRestore());

const { call, context, signUp } = await startTestApp();
const { db } = context;
const currentParameters = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/;

const getHash = async (id: number) =>
  (await db.selectFrom('users').select('password_hash').where('id', '=', id).executeTakeFirstOrThrow()).password_hash;
const logIn = (username: string, password: string) => call('POST', '/api/auth/login', { body: { username, password } });
const register = (username: string, password: string) =>
  call('POST', '/api/auth/register', { body: { username, email: `${username}@mail.example`, password } });

test('a password is stored as an argon2id hash with the current parameters', async () => {
  const { id } = (await register('hashed', 'a long enough secret')).json();
  expect(await getHash(id)).toMatch(currentParameters);
});

test('a hash with outdated parameters is renewed at the next successful sign-in', async () => {
  const { id, username, password } = await signUp();
  const outdated = await argon2.hash(password, { memoryCost: 4096, timeCost: 1, parallelism: 1 });
  await db.updateTable('users').set({ password_hash: outdated }).where('id', '=', id).execute();
  await logIn(username, 'wrong');
  expect(await getHash(id)).toBe(outdated);
  expect((await logIn(username, password)).statusCode).toBe(200);
  const renewed = await getHash(id);
  expect(renewed).toMatch(currentParameters);
  expect((await logIn(username, password)).statusCode).toBe(200);
  expect(await getHash(id)).toBe(renewed);
});

test('a password can have 8 to 128 characters of any kind and is never truncated', async () => {
  expect((await register('seven', 'a1!zq9x')).statusCode).toBe(400);
  for (const [username, password] of [
    ['eight', 'zq7 kfw4'],
    ['unicode', 'пароль из слов ☂ 安全'],
    ['long', `${'horse '.repeat(21)}ab`],
  ] as const) {
    expect([username, (await register(username, password)).statusCode]).toEqual([username, 201]);
    expect((await logIn(username, password)).statusCode).toBe(200);
    expect((await logIn(username, password.slice(0, -1))).statusCode).toBe(401);
  }
  // Systems encode é differently: as one code point, or as e followed by a combining accent.
  await register('accents', 'caf\u00e9 au lait');
  expect((await logIn('accents', 'cafe\u0301 au lait')).statusCode).toBe(200);
});

test('common passwords are refused, ignoring case', async () => {
  for (const password of ['password', '12345678', 'Password1', 'iloveyou', 'QWERTYUIOP', 'linksieve']) {
    const response = await register('commonplace', password);
    expect([password, response.statusCode, response.json().fields?.password]).toEqual([
      password,
      400,
      'Please choose a password that is harder to guess.',
    ]);
  }
});

test('at least 17,000 passwords that are frequent in breaches are refused', () => {
  const passwords = dictionary['passwords-common'].filter((password) => password.length >= passwordLimits.min);
  expect(new Set(passwords).size).toBeGreaterThanOrEqual(17_000);
  for (const password of passwords) {
    expect(() => refuseWeakPassword(password, { username: 'ada', email: 'ada@mail.example' }, 'password')).toThrow(
      'harder to guess',
    );
  }
});

test('signing in hashes once for a known name, an unknown name and an account without a password', async () => {
  const [known, passwordless] = [await signUp(), await signUp()];
  await db.updateTable('users').set({ password_hash: null }).where('id', '=', passwordless.id).execute();
  for (const username of [known.username, passwordless.username, 'unknown-name']) {
    verify.mockClear();
    const response = await logIn(username, 'not this one');
    expect([response.statusCode, response.json().error]).toEqual([401, 'Invalid username or password']);
    expect(verify.mock.calls, username).toEqual([[expect.stringMatching(currentParameters), expect.anything()]]);
  }
});
