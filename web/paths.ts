import { type DebugPage, type PagePath, pagePaths } from '#shared/pages.ts';

/** The paths of all screens. Every link in the web app uses them. */
export const paths = {
  home: '/',
  check: '/check',
  features: '/features',
  useCases: '/use-cases',
  methodology: '/methodology',
  updates: '/updates',
  extension: '/extension',
  about: '/about',
  contact: '/contact',
  apiDocs: '/api/docs',
  privacyPolicy: '/privacy-policy',
  termsOfService: '/terms-of-service',
  accessibility: '/accessibility',
  crawler: '/crawler',
  pricing: '/pricing',
  auth: '/auth',
  setup: '/setup',
  dashboard: '/dashboard',
  domains: '/domains',
  riskAssessment: '/risk-assessment',
  alerts: '/alerts',
  report: '/reports/$id',
  disavow: '/websites/$id/disavow',
  sharedReport: '/shared/$token',
  submitSites: '/submit-sites',
  account: '/account',
  connect: '/connect',
  simulateCheckout: '/simulate-checkout',
  admin: '/admin',
  adminPanel: '/admin/panel',
  adminWebsites: '/admin/profiles',
  adminInbox: '/admin/inbox',
  adminSubmissions: '/admin/submissions',
  adminDiscoveries: '/admin/discoveries',
  adminSources: '/admin/sources',
  adminHeld: '/admin/held',
  adminFeeds: '/admin/feeds',
  domainPage: '/domain/$name',
  debugLogin: '/debug-login',
  testStripe: '/test-stripe',
  testStripeCheckout: '/test-stripe-checkout',
} as const satisfies Record<string, PagePath | DebugPage | RecordPath>;

/** The paths of screens of one record. */
type RecordPath = '/domain/$name' | '/reports/$id' | '/websites/$id/disavow' | '/shared/$token';

/** Where forms without scripts send a domain. It leads to the page of the domain. */
export const domainCheckPath = '/domain';

/** The screen after signing in, unless the user came from another screen. */
export const defaultDestination = paths.dashboard;

/**
 * Returns path, query and hash of `text` if it is a screen of this site, else undefined. Prevents redirects to other
 * sites and to `/auth`.
 * @param screens the allowed paths
 */
export function toSitePath(text: unknown, screens: readonly string[] = pagePaths): string | undefined {
  if (typeof text !== 'string' || !text.startsWith('/') || !URL.canParse(text, baseOrigin)) return undefined;
  const url = new URL(text, baseOrigin);
  if (url.origin !== baseOrigin || url.username || url.password) return undefined;
  const known = screens.find((path) => path === url.pathname) ?? recordPattern.exec(url.pathname)?.[0];
  return known && known !== '/auth' ? known + url.search + url.hash : undefined;
}

const recordPattern = /^\/(?:domain\/[\w.-]+|reports\/\d+|websites\/\d+\/disavow)$/;

/** A base for parsing relative URLs. The host never resolves (RFC 2606). */
const baseOrigin = 'https://own.invalid';
