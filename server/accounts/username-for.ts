import { randomBytes } from 'node:crypto';
import { usernamePattern } from '#shared/accounts.ts';

/** A username for the first, second and third try: the wish, the wish with a random end, a random one. All of them are valid. */
export function usernameFor(wish: string, attempt: number): string {
  const plain = wish
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._-]+/g, '')
    .replace(/^[._-]+/, '')
    .slice(0, 40)
    .replace(/[._-]+$/, '');
  const random = () => randomBytes(4).toString('hex');
  if (!usernamePattern.test(plain) || attempt > 1) return `user_${random()}`;
  return attempt === 0 ? plain : `${plain.slice(0, 31)}-${random()}`;
}
