import lists from 'zxcvbn/lib/frequency_lists.js';
import { passwordLimits } from '#shared/accounts.ts';

/** Words of this site, which are the first to be tried here. */
const ownWords = ['linksieve', 'link sieve', 'link-sieve', 'blacklist', 'backlinks', 'backlink'];

/** In lower case: what everybody's programs try first, as many as OWASP ASVS 5.0 asks for at least (6.2.4). */
const common = new Set([
  ...ownWords,
  ...lists.passwords.filter((password) => password.length >= passwordLimits.least).slice(0, 3000),
]);

export function isCommon(password: string): boolean {
  return common.has(password.toLowerCase());
}
