import type { Page } from '@playwright/test';
import { withDebugPages } from './debug-pages.ts';
import { admin, signIn, signUp } from './person.ts';
import { importSample, messageSample, ownSample, reportSample, submissionSample } from './sample-data.ts';
import { withPayments } from './with-payments.ts';

export const looks = [
  { theme: 'light', width: 1440, height: 900 },
  { theme: 'dark', width: 1440, height: 900 },
  { theme: 'light', width: 360, height: 740 },
  { theme: 'dark', width: 360, height: 740 },
] as const;

/** A screen in a state that its address alone, or a few presses, bring about. */
export interface Screen {
  name: string;
  path: string;
  /** What is pressed once it stands there, to open what has no address. */
  press?: (page: Page) => Promise<void>;
}

export const visitorScreens: Screen[] = [
  { name: 'home', path: '/' },
  { name: 'features', path: '/features' },
  { name: 'use-cases', path: '/use-cases' },
  { name: 'about', path: '/about' },
  { name: 'contact', path: '/contact' },
  { name: 'api-docs', path: '/api/docs' },
  { name: 'privacy-policy', path: '/privacy-policy' },
  { name: 'terms-of-service', path: '/terms-of-service' },
  { name: 'login', path: '/auth' },
  { name: 'register', path: '/auth?tab=register' },
  { name: 'forgot-password', path: '/auth?tab=forgot' },
  { name: 'reset-password', path: '/auth?tab=reset#a-token-of-a-link' },
  { name: 'reset-over', path: '/auth?tab=reset' },
  { name: 'not-found', path: '/no-such-page' },
];

/** Signs up, makes what a person has after a while, and names the screens that show it. */
export async function userScreens(page: Page): Promise<Screen[]> {
  const names = await importSample(page);
  await signUp(page);
  const { profileId, reportId } = await reportSample(page, names.slice(0, 30));
  await ownSample(page);
  await withDebugPages(page);
  await withPayments(page);
  const { domains } = await (await page.request.get(`/api/domains?search=${names[0]}`)).json();
  return [
    { name: 'home', path: '/' },
    { name: 'blacklist', path: '/dashboard' },
    { name: 'filtered', path: `/domains?search=${names[0]?.slice(0, 12)}&riskLevel=high&sort=risk-desc` },
    { name: 'nothing-found', path: '/domains?search=there-is-no-such-name' },
    { name: 'domain', path: `/domains?domain=${domains[0].id}` },
    { name: 'analyzer', path: '/risk-assessment' },
    { name: 'analyze', path: '/risk-assessment', press: (at) => pressButton(at, 'Analyze My Backlinks') },
    { name: 'reports', path: '/risk-assessment?tab=reports' },
    { name: 'result', path: `/risk-assessment?result=${reportId}` },
    { name: 'report', path: `/risk-assessment?tab=reports&profile=${profileId}&report=${reportId}` },
    { name: 'submit-sites', path: '/submit-sites' },
    { name: 'my-websites', path: '/account' },
    { name: 'api-keys', path: '/account?tab=api-keys' },
    { name: 'security', path: '/account?tab=security' },
    { name: 'delete-account', path: '/account?tab=security', press: (at) => pressButton(at, 'Delete my account') },
    { name: 'checkout', path: '/simulate-checkout?tier=business' },
    { name: 'checkout-canceled', path: '/account?subscription=canceled' },
    { name: 'payment-awaited', path: '/account?subscription=success' },
    { name: 'test-stripe', path: '/test-stripe' },
    { name: 'test-stripe-checkout', path: '/test-stripe-checkout' },
    { name: 'subscription', path: '/account', press: pressSubscription },
    { name: 'palette', path: '/account', press: (at) => at.keyboard.press('ControlOrMeta+k') },
    { name: 'keyboard-help', path: '/account', press: (at) => at.keyboard.press('?') },
    { name: 'access-denied', path: '/admin/panel' },
    { name: 'unauthorized', path: '/admin/inbox' },
  ];
}

/** Signs in as the admin, with sites, messages and websites to look after, and names the screens that show them. */
export async function adminScreens(page: Page): Promise<Screen[]> {
  await importSample(page);
  const subject = await messageSample(page);
  await submissionSample(page);
  await signIn(page, admin);
  const [message] = await (await page.request.get(`/api/admin/messages?search=${subject}`)).json();
  return [
    { name: 'blacklist', path: '/domains' },
    { name: 'add-domain', path: '/domains?dialog=add' },
    { name: 'import', path: '/domains?dialog=import' },
    { name: 'dashboard', path: '/admin' },
    { name: 'panel-import', path: '/admin/panel' },
    { name: 'panel-database', path: '/admin/panel?tab=database' },
    { name: 'panel-users', path: '/admin/panel?tab=users' },
    { name: 'reset-link', path: '/admin/panel?tab=users', press: (at) => pressButton(at, /^Make reset link/) },
    { name: 'panel-system', path: '/admin/panel?tab=system' },
    { name: 'profiles', path: '/admin/profiles' },
    { name: 'transfer', path: '/admin/profiles', press: (at) => pressButton(at, /^Transfer/) },
    { name: 'orphaned', path: '/admin/profiles?dialog=orphaned' },
    { name: 'inbox', path: '/admin/inbox' },
    { name: 'message', path: `/admin/inbox?message=${message.id}` },
    { name: 'submissions', path: '/admin/submissions' },
    { name: 'rejected', path: '/admin/submissions?status=rejected' },
  ];
}

/** Opens a screen and waits until it has settled. */
export async function open(page: Page, { path, press }: Screen): Promise<void> {
  await page.goto(path);
  await page.waitForLoadState('networkidle');
  if (!press) return;
  await press(page);
  await page.getByRole('dialog').waitFor();
  await page.waitForLoadState('networkidle');
}

/** Pays for a plan, and asks to make it smaller. */
async function pressSubscription(page: Page): Promise<void> {
  await page.request.get('/api/subscriptions/simulate-success?tier=business', {
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  await page.reload();
  await pressButton(page, 'Downgrade to Standard');
}

async function pressButton(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name }).first().click();
}
