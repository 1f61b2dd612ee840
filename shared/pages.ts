import * as z from 'zod/mini';
import { ExtensionLinks } from './checks/extension-links.ts';

/** Pages for everyone. The sitemap lists them. */
export const publicPages = [
  '/',
  '/check',
  '/features',
  '/use-cases',
  '/methodology',
  '/updates',
  '/extension',
  '/about',
  '/contact',
  '/api/docs',
  '/privacy-policy',
  '/terms-of-service',
  '/accessibility',
  '/crawler',
] as const;

/** Paths of the site's screens. The server responds to any other path with a 404. */
export const pagePaths = [
  ...publicPages,
  '/pricing',
  '/dashboard',
  '/domains',
  '/risk-assessment',
  '/auth',
  '/setup',
  '/alerts',
  '/submit-sites',
  '/account',
  '/connect',
  '/simulate-checkout',
  '/admin',
  '/admin/panel',
  '/admin/profiles',
  '/admin/inbox',
  '/admin/submissions',
  '/admin/discoveries',
  '/admin/sources',
  '/admin/held',
  '/admin/feeds',
] as const;

/**
 * Pages that visitors get as documents: they can be read without the app, which is loaded when something on them is
 * used. The page that checks a list opens the dialog for files, which browsers allow only shortly after a press.
 */
export const documentPages = [
  ...publicPages.filter((path) => path !== '/check').map((path) => new RegExp(`^${path}$`)),
  /^\/domain\/[^/]+$/,
];

/** Screens of one record, with its id in their paths. */
export const recordPages = ['/reports/:id', '/websites/:id/disavow'] as const;

/** Test screens. They exist only if LINKSIEVE_DEBUG is set. */
export const debugPages = ['/debug-login', '/test-stripe', '/test-stripe-checkout'] as const;

export type PublicPage = (typeof publicPages)[number];
export type PagePath = (typeof pagePaths)[number];
export type DebugPage = (typeof debugPages)[number];

/** The settings that a browser needs for Google sign-in. None is secret. */
export const GoogleSettings = z.object({
  apiKey: z.string(),
  authDomain: z.string(),
  projectId: z.string(),
  /** The identity provider of tests. */
  emulatorUrl: z.nullable(z.string()),
});
export type GoogleSettings = z.infer<typeof GoogleSettings>;

/** The number of listed domains, and when the blacklist was last updated (ISO 8601). */
export const BlacklistSize = z.object({ total: z.number(), lastUpdated: z.nullable(z.string()) });
export type BlacklistSize = z.infer<typeof BlacklistSize>;

/** The person or company that runs the installation. `url` is an http or https address. */
const Operator = z.object({ name: z.string(), url: z.nullable(z.string()) });

/** What every page knows about the installation. */
export const PageState = z.object({
  /** Where visitors can book a call with the maintainers. Null hides the link. */
  bookACallUrl: z.nullable(z.string()),
  /** Null if the installation has not published a name. */
  operator: z.nullable(Operator),
  /** Whether this server sends email. Resetting a forgotten password needs it. */
  sendsMail: z.boolean(),
  /** Whether Stripe takes payments. If not, a checkout is simulated. */
  takesPayments: z.boolean(),
  /** Whether the test screens exist. */
  debug: z.boolean(),
  /** When the demonstration for the public is reset, as an ISO date. Null on other servers. */
  demoResetsAt: z.nullable(z.string()),
  /** Whether passwords sign in. */
  localSignIn: z.boolean(),
  /** Providers of OpenID Connect, with their names in paths. */
  signInProviders: z.array(z.object({ id: z.string(), name: z.string() })),
  /** Null if Google sign-in is not set up. */
  google: z.nullable(GoogleSettings),
  /** The addresses of the browser extension in stores. */
  extensionLinks: ExtensionLinks,
  /** Whether search engines may list the pages of domains. */
  indexesDomains: z.boolean(),
  /** Scheme and host of the site; empty if unknown. */
  origin: z.string(),
});
export type PageState = z.infer<typeof PageState>;

/** The operator in a sentence, if no name is published. */
export const unnamedOperator = 'an operator who has not published a name';

/** A count as a lower bound with two significant digits: '12,000+' for 12,345. */
export function formatAtLeast(count: number): string {
  const unit = 10 ** Math.max(0, String(count).length - 2);
  return count > 0 ? `${(Math.floor(count / unit) * unit).toLocaleString('en-US')}+` : '0';
}
