/** Paths of the site's screens: the server answers these with the app, anything else with a true 404. */
export const pagePaths = [
  '/',
  '/auth',
  '/dashboard',
  '/domains',
  '/risk-assessment',
  '/account',
  '/admin',
  '/admin/panel',
] as const;

export type PagePath = (typeof pagePaths)[number];
