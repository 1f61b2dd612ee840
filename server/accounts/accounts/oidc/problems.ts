import { type SignInProblem, signInProblems } from '#shared/accounts/oidc.ts';
import type { ErrorCode } from '#shared/platform/errors.ts';
import { HttpError } from '../../../platform/http/errors.ts';

const statuses: Record<SignInProblem, [status: number, code: ErrorCode]> = {
  expired: [400, 'invalid'],
  refused: [401, 'unauthorized'],
  unavailable: [503, 'unavailable'],
  throttled: [429, 'too_many_requests'],
  'no-email': [403, 'forbidden'],
  'email-taken': [409, 'password_needed'],
  'no-account': [403, 'forbidden'],
  disabled: [403, 'forbidden'],
  'linked-elsewhere': [409, 'conflict'],
};

/** An error whose name the address of the screen can have. */
export function problemError(problem: SignInProblem): HttpError {
  const [status, code] = statuses[problem];
  return new HttpError(status, code, signInProblems[problem], { extras: { problem } });
}
