import { expect, it } from 'vitest';
import { ApiError } from '../../lib/api.ts';
import { isCancelled, messageOf, needsRedirect } from './google-sign-in.ts';

const failure = (code: string) => Object.assign(new Error('of the library'), { code: `auth/${code}` });
const usual = 'There was a problem signing you in. Please try again.';

it.each([
  'invalid-email',
  'wrong-password',
  'invalid-credential',
  'email-already-in-use',
  'user-not-found',
  'too-many-requests',
  'expired-action-code',
  'requires-recent-login',
  'user-token-expired',
  'popup-blocked',
  'popup-closed-by-user',
  'unauthorized-domain',
  'network-request-failed',
])('%s has a sentence of its own', (code) => {
  const sentence = messageOf(failure(code));
  expect(sentence).toMatch(/^[A-Z].*\.$/);
  expect(sentence).not.toBe(usual);
  expect(sentence).not.toContain(code);
});

it('anything else has the usual sentence, also what is no code', () => {
  for (const error of [failure('internal-error'), failure('constructor'), new Error('odd'), undefined])
    expect(messageOf(error)).toBe(usual);
});

it('a refusal of the server is told in its own words, a fault of it in the usual ones', () => {
  expect(messageOf(new ApiError(403, 'forbidden', 'This account has been disabled.'))).toContain('disabled');
  expect(messageOf(new ApiError(503, 'unavailable', 'Google could not be asked.'))).toContain('asked');
  expect(messageOf(new ApiError(500, 'internal', 'Something went wrong on our side.'))).toBe(usual);
});

it('a closed window is a change of mind, a blocked one a reason to leave the page', () => {
  expect([isCancelled(failure('popup-closed-by-user')), needsRedirect(failure('popup-closed-by-user'))]).toEqual([
    true,
    false,
  ]);
  expect([isCancelled(failure('popup-blocked')), needsRedirect(failure('popup-blocked'))]).toEqual([false, true]);
});
