import { expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

test('nothing needs to be set', () => {
  expect(readConfig({}, {})).toMatchObject({
    port: 3000,
    host: 'localhost',
    databaseUrl: undefined,
    firstAdmin: undefined,
  });
});

test.each([
  ['PORT', '70000'],
  ['DATABASE_URL', 'mysql://somewhere'],
  ['PUBLIC_URL', 'linksieve.example'],
  ['LOG_LEVEL', 'loud'],
  ['TRUST_PROXY', 'maybe'],
])('a wrong %s is refused by its name', (name, value) => {
  expect(() => readConfig({}, { [name]: value })).toThrow(ConfigError);
  expect(() => readConfig({}, { [name]: value })).toThrow(`The setting ${name} is wrong`);
});

test('the first admin needs all three settings', () => {
  const whole = { ADMIN_USERNAME: 'root', ADMIN_EMAIL: 'root@mail.example', ADMIN_PASSWORD: 'a long enough secret' };
  expect(readConfig({}, whole).firstAdmin).toEqual({
    username: 'root',
    email: 'root@mail.example',
    password: 'a long enough secret',
  });
  expect(() => readConfig({}, { ...whole, ADMIN_PASSWORD: undefined })).toThrow('ADMIN_PASSWORD is not set');
});
