import * as z from 'zod/mini';

/**
 * Whether a text contains the address of a web page: a scheme with slashes, a name that starts with `www.`, or a dotted
 * name that a path, a query or a port follows. Names such as 'Ann St. John', 'J.R.R. Tolkien' and 'Acme Inc./Berlin'
 * pass.
 */
export function looksLikePageAddress(text: string): boolean {
  const plain = text
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{DI}]/gu, '')
    .replaceAll('。', '.');
  return /:\/\/|(?<![\p{L}\p{N}])www\.|[\p{L}\p{N}-]\.\p{L}{2,63}(?:[/?#]|:\d)/iu.test(plain);
}

/** Refuses the address of a page in a name that is shown to others, for example in emails. */
export const withoutPageAddress = z.refine<string>(
  (name) => !looksLikePageAddress(name),
  'Please enter a name without a web address',
);
