import * as z from 'zod/mini';

/** Pages that anybody reads: they are HTML before a script runs, and stand in the sitemap. */
export const publicPages = [
  '/',
  '/features',
  '/use-cases',
  '/about',
  '/contact',
  '/api/docs',
  '/privacy-policy',
  '/terms-of-service',
] as const;

/** Pages that are HTML before a script runs. The price list is not to be found by search engines: it only sends on. */
export const writtenPages = [...publicPages, '/pricing'] as const;

/** Paths of the site's screens: the server answers these with the app, anything else with a true 404. */
export const pagePaths = [
  ...writtenPages,
  '/auth',
  '/dashboard',
  '/domains',
  '/risk-assessment',
  '/submit-sites',
  '/account',
  '/simulate-checkout',
  '/admin',
  '/admin/panel',
  '/admin/profiles',
  '/admin/inbox',
  '/admin/submissions',
] as const;

/** Screens for trying things out, answered only where LINKSIEVE_DEBUG is set. */
export const debugPages = ['/debug-login', '/test-stripe', '/test-stripe-checkout'] as const;

export type PublicPage = (typeof publicPages)[number];
export type WrittenPage = (typeof writtenPages)[number];
export type PagePath = (typeof pagePaths)[number];
export type DebugPage = (typeof debugPages)[number];

/** What a browser needs to ask the identity provider. */
export const GoogleSettings = z.object({
  apiKey: z.string(),
  authDomain: z.string(),
  projectId: z.string(),
  /** Where tests have a provider of their own. */
  emulatorUrl: z.nullable(z.string()),
});
export type GoogleSettings = z.infer<typeof GoogleSettings>;

/** How many domains are listed, and when that last changed (ISO 8601). */
export const BlacklistSize = z.object({ total: z.number(), lastUpdated: z.nullable(z.string()) });
export type BlacklistSize = z.infer<typeof BlacklistSize>;

/** What the server tells a page about itself and its reader, in the page. */
export const PageState = z.object({
  /** Whether the browser sent no session at all: the page need not ask who is signed in. */
  signedOut: z.boolean(),
  /** Where a call with the maintainers can be booked; null hides the link. */
  bookACallUrl: z.nullable(z.string()),
  /** Whether this server sends mail, as a forgotten password needs. */
  sendsMail: z.boolean(),
  /** Whether what people pay for is paid at Stripe; else a checkout only acts as if. */
  takesPayments: z.boolean(),
  /** Whether the screens for trying things out are there. */
  debug: z.boolean(),
  /** null: nobody signs in with Google here. */
  google: z.nullable(GoogleSettings),
  /** Told to the home page; null elsewhere, and where it is not known. */
  blacklist: z.nullable(BlacklistSize),
});
export type PageState = z.infer<typeof PageState>;

/** 'At least so many', in the words of the home page. */
export function atLeast(count: number): string {
  return count > 0 ? `${count.toLocaleString('en-US')}+` : '0';
}
