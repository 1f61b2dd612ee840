// @vitest-environment happy-dom

import { cleanup, fireEvent, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { getInitials, type User } from '#shared/accounts/accounts.ts';
import { UserPicture } from './session.tsx';

afterEach(cleanup);

const user = { displayName: 'Ada Lovelace', email: 'ada@mail.example' } as User;
const pictureWith = (photoURL: string | null) => <UserPicture user={{ ...user, photoURL }} />;

it('loads a picture without a referrer, and shows initials if it fails to load', () => {
  const { container, rerender } = render(pictureWith('https://lh3.googleusercontent.com/a/ada'));
  const picture = container.querySelector('img');
  expect(picture?.getAttribute('referrerpolicy')).toBe('no-referrer');
  if (picture) fireEvent.error(picture);
  expect(container.textContent).toBe('AL');
  rerender(pictureWith('https://lh3.googleusercontent.com/a/another'));
  expect(container.querySelector('img')).not.toBeNull();
});

it('shows initials for a user without a picture', () => {
  expect(render(pictureWith(null)).container.textContent).toBe('AL');
});

it.each([
  ['Ada Lovelace', 'AL'],
  ['Ada', 'A'],
  ['  ada   king  lovelace ', 'AK'],
  ['Élodie Œuvre', 'ÉŒ'],
  ['𝒜da 😀', '𝒜😀'],
])('the initials of %j are %j', (displayName, initials) => {
  expect(getInitials({ displayName, email: 'x@mail.example' })).toBe(initials);
});

it.each([null, '', '  '])(
  'without a name (%j), the initials are the first two letters of the email address',
  (displayName) => {
    expect(getInitials({ displayName, email: 'ada@mail.example' })).toBe('AD');
  },
);
