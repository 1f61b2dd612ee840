import { expect, it } from 'vitest';
import { ApiError } from '../../platform/api.ts';
import { isCancelled, messageOf, needsRedirect } from './google-sign-in.ts';

const failure = (code: string) => Object.assign(new Error('library error'), { code: `auth/${code}` });
const fallback = 'There was a problem signing you in. Please try again.';

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
])('%s has its own message', (code) => {
  const sentence = messageOf(failure(code));
  expect(sentence).toMatch(/^[A-Z].*\.$/);
  expect(sentence).not.toBe(fallback);
  expect(sentence).not.toContain(code);
});

it('shows the general message for other errors', () => {
  for (const error of [failure('internal-error'), failure('constructor'), new Error('odd'), undefined])
    expect(messageOf(error)).toBe(fallback);
});

it('shows the server message for client errors and 503, and the general message for 500', () => {
  expect(messageOf(new ApiError(403, 'forbidden', 'This account has been disabled.'))).toContain('disabled');
  expect(messageOf(new ApiError(503, 'unavailable', 'Google could not be reached.'))).toContain('reached');
  expect(messageOf(new ApiError(500, 'internal', 'Something went wrong on our side.'))).toBe(fallback);
});

it('treats a closed window as canceled, and a blocked window as a reason to redirect', () => {
  expect([isCancelled(failure('popup-closed-by-user')), needsRedirect(failure('popup-closed-by-user'))]).toEqual([
    true,
    false,
  ]);
  expect([isCancelled(failure('popup-blocked')), needsRedirect(failure('popup-blocked'))]).toEqual([false, true]);
});
