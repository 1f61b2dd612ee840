import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import argon2 from '@node-rs/argon2';
import { afterAll, expect, test, vi } from 'vitest';
import { passwordLimits } from '#shared/accounts.ts';
import { HttpError } from '../http/errors.ts';
import { startTestApp } from '../test-app.fixtures.ts';
import { openLine, refuseWeak } from './passwords.ts';

// passwords.ts calls argon2.verify through the default import, so that this spy sees it.
const verify = vi.spyOn(argon2, 'verify');
afterAll(() => verify.mockRestore());

const { call, context, signUp } = await startTestApp();
const { db } = context;
const today = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/;

const hashOf = async (id: number) =>
  (await db.selectFrom('users').select('password_hash').where('id', '=', id).executeTakeFirstOrThrow()).password_hash;
const logIn = (username: string, password: string) => call('POST', '/api/auth/login', { body: { username, password } });
const register = (username: string, password: string) =>
  call('POST', '/api/auth/register', { body: { username, email: `${username}@mail.example`, password } });

test('a password is kept as an argon2id hash with its parameters', async () => {
  const { id } = (await register('hashed', 'a long enough secret')).json();
  expect(await hashOf(id)).toMatch(today);
});

test('a hash with other parameters is renewed at the next sign-in, and only after the right password', async () => {
  const { id, username, password } = await signUp();
  const older = await argon2.hash(password, { memoryCost: 4096, timeCost: 1, parallelism: 1 });
  await db.updateTable('users').set({ password_hash: older }).where('id', '=', id).execute();
  await logIn(username, 'wrong');
  expect(await hashOf(id)).toBe(older);
  expect((await logIn(username, password)).statusCode).toBe(200);
  const renewed = await hashOf(id);
  expect(renewed).toMatch(today);
  expect((await logIn(username, password)).statusCode).toBe(200);
  expect(await hashOf(id)).toBe(renewed);
});

test('any signs make a password, from 8 to 128 of them; none is cut off', async () => {
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
  // The same letters typed on another system: é as one sign, and as e with an accent.
  await register('accents', 'caf\u00e9 au lait');
  expect((await logIn('accents', 'cafe\u0301 au lait')).statusCode).toBe(200);
});

test('common passwords are refused, whatever their case', async () => {
  for (const password of ['password', '12345678', 'Password1', 'iloveyou', 'QWERTYUIOP', 'linksieve']) {
    const response = await register('commonplace', password);
    expect([password, response.statusCode, response.json().fields?.password]).toEqual([
      password,
      400,
      'Please choose a password that is not among the most common ones.',
    ]);
  }
});

test('the list of common passwords has the 3,000 entries that OWASP ASVS asks for, each refused', () => {
  const list = readFileSync(join(import.meta.dirname, 'common-passwords.txt'), 'utf8')
    .trimEnd()
    .split('----------\n')[1];
  const passwords = list?.split('\n') ?? [];
  expect(new Set(passwords).size).toBe(3000);
  for (const password of passwords) {
    expect(password.length).toBeGreaterThanOrEqual(passwordLimits.min);
    expect(() => refuseWeak(password, { username: 'ada', email: 'ada@mail.example' }, 'password')).toThrow(
      'most common',
    );
  }
});

test('an unknown name costs the same work as a wrong password, and so does an account without one', async () => {
  const [known, bare] = [await signUp(), await signUp()];
  await db.updateTable('users').set({ password_hash: null }).where('id', '=', bare.id).execute();
  for (const username of [known.username, bare.username, 'nobody-of-this-name']) {
    verify.mockClear();
    const response = await logIn(username, 'not this one');
    expect([response.statusCode, response.json().error]).toEqual([401, 'Invalid username or password']);
    expect(verify.mock.calls, username).toEqual([[expect.stringMatching(today), expect.anything()]]);
  }
});

test('a full line refuses with the time of the next try, and takes work again when it has moved on', async () => {
  const line = openLine(1, 1);
  const { promise, resolve } = Promise.withResolvers<string>();
  const first = line(() => promise);
  const second = line(async () => 'second');
  const refusal = await line(async () => 'third').catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(HttpError);
  expect(refusal).toMatchObject({ status: 503, code: 'unavailable', headers: { 'retry-after': '5' } });
  resolve('first');
  expect(await Promise.all([first, second])).toEqual(['first', 'second']);
  expect(await line(async () => 'fourth')).toBe('fourth');
});

test('work that fails gives its place back', async () => {
  const line = openLine(1, 0);
  await expect(line(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await line(async () => 'next')).toBe('next');
});
