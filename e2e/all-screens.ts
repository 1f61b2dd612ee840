import type { Page } from '@playwright/test';
import { dropLongTimers, openReady, waitForReady } from '../scripts/ready.ts';
import { withDebugPages } from './debug-pages.ts';
import type { Situation } from './expect-texts.ts';
import { admin, enter, join, noOtherImports, sameOrigin } from './person.ts';
import { importSample, messageSample, orphanSample, ownSample, reportSample, submissionSample } from './sample-data.ts';
import { withPayments } from './with-payments.ts';

/** A screen in a state that its address alone, or a few presses, bring about. */
export interface Screen {
  name: string;
  path: string;
  /** Whether the screen opens without timers of a second and more. */
  isTimeless?: boolean;
  /** Opens what has no address of its own. */
  press?: (page: Page) => Promise<void>;
  /** The situations whose texts are on the screen as it opens. */
  texts?: Situation[];
}

/** Fills the blacklist, which the home page counts, and names the screens of everybody. */
export async function visitorScreens(page: Page): Promise<Screen[]> {
  await importSample(page, 1);
  return [
    { name: 'home', path: '/', texts: ['every page: header and footer, signed out', 'home, signed out'] },
    { name: 'features', path: '/features', texts: ['features, signed out'] },
    { name: 'use-cases', path: '/use-cases', texts: ['use cases'] },
    { name: 'methodology', path: '/methodology' },
    { name: 'about', path: '/about', texts: ['about'] },
    { name: 'contact', path: '/contact', texts: ['contact', 'contact, questions'] },
    { name: 'api-docs', path: '/api/docs' },
    { name: 'privacy-policy', path: '/privacy-policy', texts: ['privacy policy'] },
    { name: 'terms-of-service', path: '/terms-of-service', texts: ['terms of service'] },
    { name: 'login', path: '/auth', texts: ['sign in'] },
    { name: 'register', path: '/auth?tab=register', texts: ['register'] },
    { name: 'forgot-password', path: '/auth?tab=forgot' },
    { name: 'reset-password', path: '/auth?tab=reset#a-token-of-a-link' },
    { name: 'reset-over', path: '/auth?tab=reset' },
    { name: 'not-found', path: '/no-such-page', texts: ['not found'] },
  ];
}

/** Signs up, makes what a person has after a while, and names the screens that show it. */
export async function userScreens(page: Page): Promise<Screen[]> {
  const names = await importSample(page);
  await join(page);
  const { profileId, reportId } = await reportSample(page, names.slice(0, 30));
  await ownSample(page);
  await withDebugPages(page);
  await withPayments(page);
  const { domains } = await (await page.request.get(`/api/domains?search=${names[0]}`)).json();
  return [
    { name: 'home', path: '/', texts: ['header, signed in'] },
    { name: 'blacklist', path: '/dashboard', texts: ['blacklist', 'blacklist, headings', 'blacklist, levels'] },
    { name: 'filtered', path: `/domains?search=${names[0]?.slice(0, 12)}&riskLevel=high&sort=risk-desc` },
    { name: 'nothing-found', path: '/domains?search=there-is-no-such-name' },
    { name: 'domain', path: `/domains?domain=${domains[0].id}` },
    { name: 'analyzer', path: '/risk-assessment', texts: ['risk analyzer'] },
    { name: 'analyze', path: '/risk-assessment', press: (at) => pressButton(at, 'Analyze My Backlinks') },
    { name: 'reports', path: '/risk-assessment?tab=reports' },
    { name: 'result', path: `/risk-assessment?result=${reportId}` },
    {
      name: 'report',
      path: `/risk-assessment?tab=reports&profile=${profileId}&report=${reportId}`,
      texts: ['report details', 'report, harmful backlinks'],
    },
    { name: 'submit-sites', path: '/submit-sites', texts: ['submit sites'] },
    { name: 'my-websites', path: '/account', texts: ['account', 'account, plan'] },
    { name: 'api-keys', path: '/account?tab=api-keys', texts: ['API keys'] },
    { name: 'security', path: '/account?tab=security' },
    { name: 'delete-account', path: '/account?tab=security', press: (at) => pressButton(at, 'Delete my account') },
    {
      name: 'checkout',
      path: '/simulate-checkout?tier=business',
      texts: ['simulated checkout of the other plan'],
    },
    { name: 'checkout-canceled', path: '/account?subscription=canceled', texts: ['checkout canceled'] },
    { name: 'payment-awaited', path: '/account?subscription=success' },
    { name: 'test-stripe', path: '/test-stripe', texts: ['test by mail address'] },
    { name: 'test-stripe-checkout', path: '/test-stripe-checkout' },
    { name: 'subscription', path: '/account', press: pressSubscription },
    { name: 'palette', path: '/account', press: (at) => at.keyboard.press('ControlOrMeta+k') },
    { name: 'keyboard-help', path: '/account', press: (at) => at.keyboard.press('?') },
    { name: 'unauthorized', path: '/admin/inbox', texts: ['inbox, no admin'] },
    // It leaves by itself after five seconds.
    { name: 'access-denied', path: '/admin/panel', isTimeless: true, texts: ['admin screen, no admin'] },
  ];
}

/** Signs in as the admin, with sites, messages and websites to look after, and names the screens that show them. */
export async function adminScreens(page: Page): Promise<Screen[]> {
  await importSample(page);
  const subject = await messageSample(page);
  await submissionSample(page);
  await orphanSample(page);
  await enter(page, admin);
  await noOtherImports(page);
  const [message] = await (await page.request.get(`/api/admin/messages?search=${subject}`)).json();
  return [
    {
      name: 'blacklist',
      path: '/domains',
      texts: ['header, admin', 'blacklist, admin', 'blacklist, admin, headings'],
    },
    { name: 'add-domain', path: '/domains?dialog=add' },
    { name: 'import', path: '/domains?dialog=import', texts: ['import dialog'] },
    { name: 'dashboard', path: '/admin', texts: ['dashboard'] },
    { name: 'panel-import', path: '/admin/panel', texts: ['panel', 'panel, importer'] },
    { name: 'panel-database', path: '/admin/panel?tab=database', texts: ['panel, database'] },
    { name: 'panel-users', path: '/admin/panel?tab=users', texts: ['panel, users'] },
    { name: 'reset-link', path: '/admin/panel?tab=users', press: (at) => pressButton(at, /^Make reset link/) },
    { name: 'panel-system', path: '/admin/panel?tab=system', texts: ['panel, system'] },
    { name: 'profiles', path: '/admin/profiles', texts: ['profiles'] },
    { name: 'transfer', path: '/admin/profiles', press: (at) => pressButton(at, /^Transfer/) },
    { name: 'orphaned', path: '/admin/profiles?dialog=orphaned', texts: ['profiles, orphaned'] },
    { name: 'inbox', path: '/admin/inbox', texts: ['inbox'] },
    { name: 'message', path: `/admin/inbox?message=${message.id}`, texts: ['inbox, message'] },
    { name: 'submissions', path: '/admin/submissions', texts: ['submissions'] },
    { name: 'rejected', path: '/admin/submissions?status=rejected' },
  ];
}

/** Opens a screen and waits until it is ready. */
export async function open(page: Page, { path, isTimeless, press }: Screen): Promise<void> {
  const script = isTimeless ? await dropLongTimers(page) : undefined;
  await openReady(page, path);
  await script?.dispose();
  if (!press) return;
  await press(page);
  await page.getByRole('dialog').waitFor();
  await waitForReady(page);
}

/** Pays for a plan, and asks to make it smaller. */
async function pressSubscription(page: Page): Promise<void> {
  await page.request.get('/api/subscriptions/simulate-success?tier=business', { headers: sameOrigin });
  await page.reload();
  await pressButton(page, 'Downgrade to Standard');
}

async function pressButton(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name }).first().click();
}
