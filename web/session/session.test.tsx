// @vitest-environment happy-dom

import { cleanup, fireEvent, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { User } from '#shared/accounts.ts';
import { initialsOf, PersonPicture } from './session.tsx';

afterEach(cleanup);

const person = { displayName: 'Ada Lovelace', email: 'ada@mail.example' } as User;
const at = (photoURL: string | null) => <PersonPicture user={{ ...person, photoURL }} />;

it('a picture is asked for without saying from where, and gives way to initials where it cannot be had', () => {
  const { container, rerender } = render(at('https://lh3.googleusercontent.com/a/ada'));
  const picture = container.querySelector('img');
  expect(picture?.getAttribute('referrerpolicy')).toBe('no-referrer');
  if (picture) fireEvent.error(picture);
  expect(container.textContent).toBe('AL');
  rerender(at('https://lh3.googleusercontent.com/a/another'));
  expect(container.querySelector('img')).not.toBeNull();
});

it('without a picture there are initials', () => {
  expect(render(at(null)).container.textContent).toBe('AL');
});

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
