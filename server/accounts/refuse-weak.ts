import { invalid } from '../http/errors.ts';
import { isCommon } from './common-passwords.ts';

/** What is tried first: the account's own name or address, and what many people choose. Throws 400 naming `field`. */
export function refuseWeak(
  password: string,
  { username, email }: { username: string; email: string },
  field: 'password' | 'newPassword',
): void {
  const plain = password.toLowerCase();
  const own = [username, email, email.split('@')[0] ?? ''].map((text) => text.toLowerCase());
  if (own.includes(plain)) refuse('that is not your own username or email address', field);
  if (isCommon(plain)) refuse('that is not among the most common ones', field);
}

function refuse(better: string, field: string): never {
  const sentence = `Please choose a password ${better}.`;
  throw invalid(sentence, { [field]: sentence });
}
