import * as z from 'zod/mini';

/** What the address of the sign-in page says; login where it says nothing. */
export const authSearch = z.object({
  tab: z.catch(z.optional(z.enum(['login', 'register', 'forgot', 'reset'])), undefined),
});

export const accountTabs = ['websites', 'api-keys', 'security'] as const;

/** What the address of the account says. An unknown value falls back to none. */
export const accountSearch = z.object({
  tab: z.catch(z.optional(z.enum(accountTabs)), undefined),
  /** How a checkout ended that leads here. */
  subscription: z.catch(z.optional(z.enum(['success', 'canceled'])), undefined),
  /** Whether that checkout was only tried out. */
  test: z.catch(z.optional(z.literal('true')), undefined),
});
