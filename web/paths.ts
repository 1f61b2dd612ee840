import type { PagePath } from '#shared/pages.ts';

/** Every link of the site goes through here. */
export const paths = {
  home: '/',
  auth: '/auth',
  dashboard: '/dashboard',
  domains: '/domains',
  riskAssessment: '/risk-assessment',
  account: '/account',
  admin: '/admin',
  adminPanel: '/admin/panel',
} as const satisfies Record<string, PagePath>;

/** Where a person goes after signing in when nothing else was asked for. */
export const afterSignIn = paths.dashboard;
