import { expect, it } from 'vitest';
import { initialsOf } from './initials.ts';

it.each([
  ['Ada Lovelace', 'AL'],
  ['Ada', 'A'],
  ['  ada   king  lovelace ', 'AK'],
  ['Élodie Œuvre', 'ÉŒ'],
  ['𝒜da 😀', '𝒜😀'],
])('the name %j gives %j', (displayName, initials) => {
  expect(initialsOf({ displayName, email: 'x@mail.example' })).toBe(initials);
});

it.each([null, '', '  '])('without a name (%j) the e-mail address gives its first two letters', (displayName) => {
  expect(initialsOf({ displayName, email: 'ada@mail.example' })).toBe('AD');
});
