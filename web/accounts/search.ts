import * as z from 'zod/mini';

/** What the address of the sign-in page says; login where it says nothing. */
export const authSearch = z.object({
  tab: z.catch(z.optional(z.enum(['login', 'register'])), undefined),
});
