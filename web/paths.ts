import { type DebugPage, type PagePath, pagePaths } from '#shared/pages.ts';

/** Every link of the site goes through here. */
export const paths = {
  home: '/',
  features: '/features',
  useCases: '/use-cases',
  methodology: '/methodology',
  about: '/about',
  contact: '/contact',
  apiDocs: '/api/docs',
  privacyPolicy: '/privacy-policy',
  termsOfService: '/terms-of-service',
  pricing: '/pricing',
  auth: '/auth',
  dashboard: '/dashboard',
  domains: '/domains',
  riskAssessment: '/risk-assessment',
  submitSites: '/submit-sites',
  account: '/account',
  simulateCheckout: '/simulate-checkout',
  admin: '/admin',
  adminPanel: '/admin/panel',
  adminProfiles: '/admin/profiles',
  adminInbox: '/admin/inbox',
  adminSubmissions: '/admin/submissions',
  debugLogin: '/debug-login',
  testStripe: '/test-stripe',
  testStripeCheckout: '/test-stripe-checkout',
} as const satisfies Record<string, PagePath | DebugPage>;

/** Where a person goes after signing in when nothing else was asked for. */
export const afterSignIn = paths.dashboard;

/**
 * `text` when it names a screen of this site (path, query, hash), else undefined: nobody is sent to another site, nor to `/auth`.
 * @param screens the paths that there are
 */
export function ownPath(text: unknown, screens: readonly string[] = pagePaths): string | undefined {
  if (typeof text !== 'string' || !text.startsWith('/') || !URL.canParse(text, anyOrigin)) return undefined;
  const url = new URL(text, anyOrigin);
  if (url.origin !== anyOrigin || url.username || url.password) return undefined;
  const known = screens.find((path) => path === url.pathname);
  return known && known !== '/auth' ? known + url.search + url.hash : undefined;
}

const anyOrigin = 'https://own.invalid';
