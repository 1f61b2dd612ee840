import * as z from 'zod/mini';

/** The search parameters of the sign-in page. The default tab is the login. */
export const authSearch = z.object({
  tab: z.catch(z.optional(z.enum(['login', 'register', 'forgot', 'reset'])), undefined),
});
