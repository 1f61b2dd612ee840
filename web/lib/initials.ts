import type { User } from '#shared/accounts.ts';

/** At most two letters for a person: of the display name's words, else the first two of the e-mail address. */
export function initialsOf({ displayName, email }: Pick<User, 'displayName' | 'email'>): string {
  const words = (displayName ?? '').split(/\s+/).filter(Boolean);
  const letters = words.length > 0 ? words.map((word) => [...word][0]) : [...email];
  return letters.slice(0, 2).join('').toUpperCase();
}
