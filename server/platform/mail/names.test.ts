import { expect, test } from 'vitest';
import { NameChange } from '#shared/accounts/account-settings.ts';
import { Registration } from '#shared/accounts/accounts.ts';
import { looksLikePageAddress } from '#shared/platform/names.ts';
import { hasWebAddress, toMailName } from './names.ts';

const names = [
  'Ann St. John',
  "O'Neil Jr.",
  'J.R.R. Tolkien',
  'Dr. Ada Lovelace, Ph.D.',
  'Acme Inc./Berlin',
  'Müller & Söhne GmbH',
  '山田 太郎',
  'St.John',
  'Team A: SEO',
];
const addresses = [
  'your account is locked. Unlock it now: https://evil.example/unlock?id=',
  'www.evil.example',
  'Ann www.evil.example',
  'evil.example/unlock',
  'evil.example?x',
  'evil.example:8080',
  'HTTP://EVIL.EXAMPLE',
  'ｗｗｗ．evil．example',
  'ww\u200bw.evil.example',
  'evil。example/x',
];

test('a display name cannot contain the address of a page, and real names pass', () => {
  for (const displayName of names) {
    expect([displayName, looksLikePageAddress(displayName)]).toEqual([displayName, false]);
    expect(NameChange.safeParse({ displayName }).success).toBe(true);
  }
  const account = { email: 'ann@mail.example', username: 'ann', password: 'a long secret' };
  for (const displayName of addresses) {
    expect([displayName, looksLikePageAddress(displayName)]).toEqual([displayName, true]);
    expect(NameChange.safeParse({ displayName }).success).toBe(false);
    expect(Registration.safeParse({ ...account, displayName }).success).toBe(false);
  }
});

test('an email contains no name that mail programs may turn into a link', () => {
  for (const name of [...addresses, 'Visit evil.com now', 'evil.co.uk', 'ann@evil.example']) {
    expect([name, hasWebAddress(name)]).toEqual([name, true]);
    expect(toMailName({ displayName: name, username: 'evil.com' })).toBeUndefined();
    expect(toMailName({ displayName: name, username: 'ann.smith' })).toBe('ann.smith');
  }
  for (const name of names) expect(toMailName({ displayName: name, username: 'evil.com' })).toBe(name);
});
