import type { DebugPage, PagePath } from '#shared/pages.ts';

/** Every link of the site goes through here. */
export const paths = {
  home: '/',
  features: '/features',
  useCases: '/use-cases',
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
