import { expect, test } from 'vitest';
import { EmailAddress } from '#shared/platform/email-address.ts';
import { isMailbox } from './mail.ts';

const isValid = (text: string) => EmailAddress.safeParse(text).success;

test.each([
  'someone@mail.example',
  "o'brien+links_2026@sub.mail.example",
  'jürgen@münchen.example',
  '用户@例子.example',
  '!#$%&*/=?^`{|}~@mail.example',
  '  someone@mail.example ',
])('%s is accepted as an email address', (text) => {
  expect([isValid(text), isMailbox(text.trim())]).toEqual([true, true]);
});

test.each([
  '"><img src=x>@mail.example',
  '<b>@mail.example',
  'someone@<b>.example',
  'some\u200bone@mail.example',
  'some\u2060one@mail.example',
  'someone@ma\u00adil.example',
  'someone@mail.example\ufeff.example',
  'some\u3164one@mail.example',
  'some\u202eone@mail.example',
  'a@mail.example,b@mail.example',
  'someone@mail.example@mail.example',
])('%j is refused as an email address', (text) => {
  expect([isValid(text), isMailbox(text)]).toEqual([false, false]);
});

test('an address without a dot in its domain, and one of 255 characters, are refused', () => {
  expect(['someone@localhost', `a@${'b'.repeat(244)}.example`].map(isValid)).toEqual([false, true]);
  expect(isValid(`a@${'b'.repeat(245)}.example`)).toBe(false);
});
