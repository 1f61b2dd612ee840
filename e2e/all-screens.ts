import type { Page } from '@playwright/test';
import { dropLongTimers, openReady, waitForReady } from '../scripts/ready.ts';
import type { Feed } from '../shared/blacklist/feeds.ts';
import { admin, post, sameOriginHeaders, signInAs, signInAsNewUser, uniqueName, userPassword } from './accounts.ts';
import { routeAlerts, sampleAlerts } from './alerts.ts';
import { openManageViews, openViewsMenu, reloadPastedList } from './blacklist.ts';
import type { Situation } from './expect-texts.ts';
import { failedFeed, loadedFeed, waitingFeed } from './feeds.ts';
import { buildCsvFile, chooseFile } from './files.ts';
import { hideRunningImports, noPendingWork } from './mock-responses.ts';
import { enableDebugPages, enablePayments } from './page-state.ts';
import { chooseAction } from './report-page.ts';
import {
  createAppeal,
  createCheckedList,
  createDomains,
  createFamily,
  createFeedInReview,
  createHeldListings,
  createMessage,
  createOrphanedWebsite,
  createReport,
  createSubmissions,
  createUploadQuestion,
  createUserData,
  createVerifiedAppeal,
  createView,
  createWebsite,
  decideAndUploadDisavowFile,
  getSampleDomains,
  importCopiedLists,
} from './sample-data.ts';

/** A screen in a state that its URL, or its URL and a few clicks, bring about. */
export interface Screen {
  name: string;
  path: string;
  /** Whether the screen opens without timers of one second or more. */
  withoutLongTimers?: boolean;
  /** Replaces responses that the screen loads. The routes are removed afterwards, because they prevent caching. */
  beforeOpen?: (page: Page) => Promise<void>;
  /** Opens a dialog that has no URL. */
  openDialog?: (page: Page) => Promise<void>;
  /** Opens a part of the screen that has no URL. */
  openPart?: (page: Page) => Promise<void>;
  /** The situations whose texts are on the screen when it opens. */
  texts?: Situation[];
}

/** Imports a domain for the count on the home page, and returns the screens of visitors. */
export async function prepareVisitorScreens(page: Page): Promise<Screen[]> {
  const names = await getSampleDomains(page);
  const listed = names[5];
  const list = await createCheckedList(page, names.slice(0, 6));
  return [
    { name: 'home', path: '/', texts: ['header and footer, signed out', 'home, signed out'] },
    { name: 'check', path: '/check' },
    { name: 'checked-list', path: list },
    { name: 'checked-list-missing', path: '/check?list=00000000-0000-4000-8000-000000000000' },
    { name: 'features', path: '/features', texts: ['features, signed out'] },
    { name: 'use-cases', path: '/use-cases', texts: ['use cases'] },
    { name: 'methodology', path: '/methodology' },
    { name: 'updates', path: '/updates' },
    { name: 'extension', path: '/extension' },
    { name: 'about', path: '/about', texts: ['about'] },
    { name: 'contact', path: '/contact', texts: ['contact', 'contact, questions'] },
    { name: 'api-docs', path: '/api/docs' },
    { name: 'domain-page', path: `/domain/${listed}` },
    { name: 'domain-page-unlisted', path: '/domain/unknown.example' },
    { name: 'shared-report-expired', path: '/shared/a-token-of-an-expired-link' },
    { name: 'privacy-policy', path: '/privacy-policy', texts: ['privacy policy'] },
    { name: 'terms-of-service', path: '/terms-of-service', texts: ['terms of service'] },
    { name: 'accessibility', path: '/accessibility' },
    { name: 'crawler', path: '/crawler' },
    { name: 'login', path: '/auth', texts: ['sign in'] },
    { name: 'register', path: '/auth?tab=register', texts: ['register'] },
    { name: 'forgot-password', path: '/auth?tab=forgot' },
    { name: 'reset-password', path: '/auth?tab=reset#a-token-of-a-link' },
    { name: 'reset-expired', path: '/auth?tab=reset' },
    { name: 'setup-without-link', path: '/setup' },
    { name: 'setup-wrong-link', path: '/setup#not-the-printed-token' },
    { name: 'setup-admin', path: '/setup#a-token', beforeOpen: acceptSetupLink, openPart: waitForPassword },
    { name: 'not-found', path: '/no-such-page', texts: ['not found'] },
  ];
}

/** Registers a user, creates websites, reports and other data, and returns the screens of users. */
export async function prepareUserScreens(page: Page): Promise<Screen[]> {
  const names = await getSampleDomains(page);
  await signInAsNewUser(page);
  const { websiteId, reportId } = await createReport(page, names.slice(0, 30));
  await decideAndUploadDisavowFile(page, websiteId, names);
  const { id: emptyWebsiteId } = await createWebsite(page);
  const { url } = await post(page.request, `/api/reports/${reportId}/share`, {});
  const sharedReport = new URL(String(url)).pathname;
  const columnQuestion = await createUploadQuestion(page, 'column');
  const siteQuestion = await createUploadQuestion(page, 'site');
  await createUserData(page);
  await createAppeal(page.request, names[1] ?? '');
  await createView(page.request, 'Shops', { search: 'shop' });
  const list = await createCheckedList(page, names.slice(0, 12));
  const { domains } = await (await page.request.get(`/api/domains?search=${names[0]}`)).json();
  return [
    { name: 'home', path: '/', texts: ['header, signed in'] },
    {
      name: 'blacklist',
      // The first page of the whole blacklist can have domains of other tests only.
      path: `/dashboard?search=${names[0]?.slice(0, 12)}`,
      texts: ['blacklist', 'blacklist, headings', 'blacklist, risk levels'],
    },
    { name: 'filtered', path: `/domains?search=${names[0]?.slice(0, 12)}&riskLevel=high&sort=risk-desc` },
    { name: 'composition', path: '/domains', openPart: openComposition },
    { name: 'nothing-found', path: '/domains?search=there-is-no-such-name' },
    {
      name: 'columns',
      path: '/domains',
      openPart: (on) => clickButton(on, 'Display'),
    },
    {
      name: 'selection',
      path: '/domains',
      openPart: (on) => on.getByRole('checkbox', { name: 'Select all on this page' }).check(),
    },
    { name: 'paste-list', path: '/domains?dialog=list' },
    {
      name: 'pasted-list',
      path: '/domains',
      openPart: (on) => reloadPastedList(on, [...names.slice(0, 3), 'unlisted.example', 'not a name']),
    },
    { name: 'checked-list', path: list, openPart: (on) => clickButton(on, /^Show evidence for/) },
    { name: 'views-menu', path: `/domains?search=${names[0]?.slice(0, 12)}`, openPart: openViewsMenu },
    { name: 'views', path: '/domains', openDialog: openManageViews },
    { name: 'domain', path: `/domains?domain=${domains[0].id}` },
    { name: 'domain-page-appeal', path: `/domain/${names[1]}` },
    { name: 'domain-page-form', path: `/domain/${names[2]}`, openPart: openAppealForm },
    { name: 'analyzer', path: '/risk-assessment', texts: ['risk analyzer'] },
    { name: 'analyze', path: '/risk-assessment', openDialog: (on) => clickButton(on, 'Analyze My Backlinks') },
    { name: 'column-question', path: `/risk-assessment?analysis=${columnQuestion}`, openDialog: waitForDialog },
    { name: 'site-question', path: `/risk-assessment?analysis=${siteQuestion}`, openDialog: waitForDialog },
    { name: 'reports', path: '/risk-assessment?tab=reports' },
    { name: 'result', path: `/risk-assessment?result=${reportId}` },
    {
      name: 'delete-report',
      path: `/risk-assessment?result=${reportId}`,
      openDialog: (on) => chooseAction(on, 'Delete report'),
    },
    {
      name: 'report',
      path: `/risk-assessment?tab=reports&profile=${websiteId}&report=${reportId}`,
      texts: ['report details', 'report, harmful backlinks'],
    },
    {
      name: 'evidence',
      path: `/risk-assessment?tab=reports&profile=${websiteId}&report=${reportId}`,
      openDialog: (on) => clickButton(on, /^Evidence/),
    },
    { name: 'report-page', path: `/reports/${reportId}` },
    { name: 'report-links', path: `/reports/${reportId}?view=links` },
    { name: 'report-patterns', path: `/reports/${reportId}?view=patterns` },
    { name: 'report-overview', path: `/reports/${reportId}?view=overview` },
    { name: 'alerts', path: '/alerts', beforeOpen: (on) => routeAlerts(on, sampleAlerts) },
    { name: 'no-alerts', path: '/alerts' },
    { name: 'watch', path: `/reports/${reportId}`, openDialog: (on) => chooseAction(on, /^Watch/) },
    { name: 'account-notifications', path: '/account?tab=notifications' },
    { name: 'report-domain', path: `/reports/${reportId}?open=${names[5]}&lost=include` },
    { name: 'report-missing', path: '/reports/1000000' },
    { name: 'disavow-file', path: `/websites/${websiteId}/disavow` },
    { name: 'no-disavow-file', path: `/websites/${emptyWebsiteId}/disavow` },
    { name: 'shared-report', path: sharedReport },
    { name: 'share-report', path: `/reports/${reportId}`, openDialog: (on) => chooseAction(on, 'Share') },
    { name: 'submit-sites', path: '/submit-sites', texts: ['submit sites'] },
    { name: 'my-websites', path: '/account', texts: ['account', 'account, plan'] },
    { name: 'api-keys', path: '/account?tab=api-keys', texts: ['API keys'] },
    {
      name: 'rotate-key',
      path: '/account?tab=api-keys',
      openDialog: (on) => clickButton(on, /^Rotate /),
    },
    { name: 'connect', path: '/connect?request=made-up-request', beforeOpen: routeAccessRequest },
    { name: 'webhooks', path: '/account?tab=notifications', openPart: openDelivery },
    {
      name: 'add-webhook',
      path: '/account?tab=notifications',
      openDialog: (on) => clickButton(on, 'Add webhook'),
    },
    {
      name: 'webhook-secret',
      path: '/account?tab=notifications',
      openDialog: async (on) => {
        await clickButton(on, /^Rotate secret of/);
        await on.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
        await on.getByRole('dialog', { name: 'Webhook secret' }).waitFor();
      },
    },
    { name: 'profile', path: '/account?tab=profile' },
    { name: 'profile-unconfirmed', path: '/account?tab=profile', beforeOpen: requestEmailChange },
    { name: 'confirm-email', path: '/account?tab=profile#a-token-of-a-link' },
    { name: 'privacy', path: '/account?tab=privacy' },
    { name: 'delete-account', path: '/account?tab=privacy', openDialog: (on) => clickButton(on, 'Delete my account') },
    {
      name: 'checkout',
      path: '/simulate-checkout?tier=business',
      texts: ['simulated checkout of the other plan'],
    },
    { name: 'checkout-canceled', path: '/account?subscription=canceled', texts: ['checkout canceled'] },
    { name: 'payment-pending', path: '/account?subscription=success', beforeOpen: enablePayments },
    { name: 'test-stripe', path: '/test-stripe', beforeOpen: enableDebugPages, texts: ['checkout test by email'] },
    { name: 'test-stripe-checkout', path: '/test-stripe-checkout', beforeOpen: enableDebugPages },
    {
      name: 'subscription',
      path: '/account',
      beforeOpen: subscribe,
      openDialog: (on) => clickButton(on, 'Downgrade to Standard'),
    },
    { name: 'palette', path: '/account', openDialog: (on) => on.keyboard.press('ControlOrMeta+k') },
    { name: 'keyboard-help', path: '/account', openDialog: (on) => on.keyboard.press('?') },
    { name: 'unauthorized', path: '/admin/inbox', texts: ['inbox, unauthorized'] },
    // The screen redirects after five seconds.
    { name: 'access-denied', path: '/admin/panel', withoutLongTimers: true, texts: ['admin screen, access denied'] },
  ];
}

/** Signs in as the admin, creates submissions, messages and websites, and returns the screens of admins. */
export async function prepareAdminScreens(page: Page): Promise<Screen[]> {
  const name = `${uniqueName('appealed')}.example`;
  await createDomains(page, [name]);
  const subject = await createMessage(page);
  await createVerifiedAppeal(page, name);
  await createSubmissions(page);
  await createHeldListings(page);
  await createOrphanedWebsite(page);
  await importCopiedLists(page);
  await createFamily(page);
  const feed = await createFeedInReview(page);
  await signInAs(page, admin);
  const [message] = await (await page.request.get(`/api/admin/messages?search=${subject}`)).json();
  const [appeal] = await (await page.request.get(`/api/admin/messages?search=${name}`)).json();
  return [
    {
      name: 'blacklist',
      path: '/domains',
      beforeOpen: hideRunningImports,
      texts: ['header, admin', 'blacklist, admin', 'blacklist, admin, headings'],
    },
    { name: 'add-domain', path: '/domains?dialog=add', beforeOpen: hideRunningImports },
    { name: 'import', path: '/domains?dialog=import', beforeOpen: hideRunningImports, texts: ['import dialog'] },
    {
      name: 'import-columns',
      path: '/domains?dialog=import',
      beforeOpen: hideRunningImports,
      openPart: chooseImportFile,
    },
    { name: 'dashboard', path: '/admin', texts: ['dashboard', 'dashboard, levels'] },
    {
      name: 'dashboard-up-to-date',
      path: '/admin',
      beforeOpen: hidePendingWork,
      openPart: (on) => on.getByRole('heading', { name: 'Everything is up to date' }).waitFor(),
    },
    {
      name: 'panel-import',
      path: '/admin/panel',
      beforeOpen: hideRunningImports,
      texts: ['panel', 'panel, importer'],
    },
    { name: 'panel-import-columns', path: '/admin/panel', beforeOpen: hideRunningImports, openPart: chooseImportFile },
    { name: 'panel-database', path: '/admin/panel?tab=database', texts: ['panel, database'] },
    { name: 'panel-users', path: '/admin/panel?tab=users', texts: ['panel, users'] },
    { name: 'reset-link', path: '/admin/panel?tab=users', openDialog: (on) => clickButton(on, /^Create reset link/) },
    { name: 'panel-audit', path: '/admin/panel?tab=audit' },
    { name: 'panel-jobs', path: '/admin/panel?tab=jobs' },
    { name: 'panel-system', path: '/admin/panel?tab=system', texts: ['panel, system'] },
    { name: 'profiles', path: '/admin/profiles', texts: ['profiles'] },
    { name: 'transfer', path: '/admin/profiles', openDialog: (on) => clickButton(on, /^Transfer/) },
    { name: 'orphaned', path: '/admin/profiles?dialog=orphaned', texts: ['profiles, orphaned'] },
    { name: 'inbox', path: '/admin/inbox', texts: ['inbox'] },
    { name: 'message', path: `/admin/inbox?message=${message.id}`, texts: ['inbox, message'] },
    { name: 'appeal', path: `/admin/inbox?message=${appeal.id}` },
    { name: 'submissions', path: '/admin/submissions', texts: ['submissions'] },
    { name: 'rejected', path: '/admin/submissions?status=rejected' },
    { name: 'discoveries', path: '/admin/discoveries' },
    { name: 'sources', path: '/admin/sources' },
    { name: 'merge-source', path: '/admin/sources', openDialog: (on) => clickButton(on, /^Merge/) },
    { name: 'families', path: '/admin/sources?tab=families' },
    {
      name: 'confirm-family',
      path: '/admin/sources?tab=families',
      openDialog: (on) => clickButton(on, /^Confirm the family/),
    },
    { name: 'setup-lists', path: '/setup', beforeOpen: (on) => showFeeds(on, []) },
    { name: 'setup-loading', path: '/setup', beforeOpen: (on) => showFeeds(on, [waitingFeed, loadedFeed]) },
    { name: 'setup-loaded', path: '/setup', beforeOpen: (on) => showFeeds(on, [failedFeed, loadedFeed]) },
    { name: 'held', path: '/admin/held' },
    { name: 'held-decision', path: '/admin/held', openDialog: (on) => clickButton(on, /^Add to blacklist: .* of /) },
    { name: 'allow-rules', path: '/admin/held?tab=rules' },
    { name: 'shared-hosts', path: '/admin/held?tab=hosts' },
    { name: 'feeds', path: '/admin/feeds' },
    { name: 'feed-menu', path: '/admin/feeds', openPart: (on) => clickButton(on, `More actions for ${feed.name}`) },
    { name: 'feed-catalogue', path: '/admin/feeds?dialog=catalogue' },
    { name: 'custom-feed', path: '/admin/feeds?dialog=custom' },
    { name: 'edit-feed', path: '/admin/feeds', openDialog: (on) => chooseFeedAction(on, feed.name, 'Edit') },
    { name: 'delete-feed', path: '/admin/feeds', openDialog: (on) => chooseFeedAction(on, feed.name, 'Delete') },
    { name: 'feed-history', path: `/admin/feeds?feed=${feed.id}` },
    {
      name: 'accept-copy',
      path: `/admin/feeds?feed=${feed.id}`,
      openDialog: (on) => clickButton(on, /^Accept this copy/),
    },
    { name: 'feed-run', path: `/admin/feeds?feed=${feed.id}&run=${feed.runId}` },
    { name: 'add-allow-rule', path: '/admin/held?tab=rules', openDialog: (on) => clickButton(on, 'Add allow rule') },
  ];
}

/** Opens a screen and waits until it is ready. */
export async function openScreen(page: Page, screen: Screen): Promise<void> {
  const { path, withoutLongTimers, beforeOpen, openDialog, openPart } = screen;
  // A change of the fragment alone would not load the page.
  await page.goto('about:blank');
  await beforeOpen?.(page);
  const script = withoutLongTimers ? await dropLongTimers(page) : undefined;
  await openReady(page, path);
  await script?.dispose();
  await openPart?.(page);
  if (!openDialog) return;
  await openDialog(page);
  await page.getByRole('dialog').waitFor();
  await waitForReady(page);
}

/** Opens the form of the setup link, which a server with an admin refuses. */
async function acceptSetupLink(page: Page): Promise<void> {
  await page.route('**/api/setup/check', (route) => route.fulfill({ status: 204 }));
}

const waitForPassword = (page: Page) => page.getByLabel('Password', { exact: true }).waitFor();

/** Chooses a price list without sources, whose columns are then shown. */
async function chooseImportFile(page: Page): Promise<void> {
  const rows = ['garden-notes.com', 'a-rather-long-name-of-a-travel-magazine.co.uk', 'city-guide.net'].map(
    (name, i) => `${name},${40 + i},Travel and hotels,"$1,${200 + i}",2026-11-0${i + 1}`,
  );
  const file = buildCsvFile('price-list.csv', ['Website,Ahrefs DR,Category,Price (USD),Last checked', ...rows]);
  await chooseFile(page, 'Choose a CSV file', file);
  await page.getByRole('table').getByRole('combobox').first().waitFor();
  await waitForReady(page);
}

/** Shows the setup screen with these feeds, whatever feeds other tests create. */
async function showFeeds(page: Page, feeds: Feed[]): Promise<void> {
  await page.route('**/api/admin/feeds', (route) => route.fulfill({ json: feeds }));
}

async function subscribe(page: Page): Promise<void> {
  await page.request.get('/api/subscriptions/simulate-success?tier=business', { headers: sameOriginHeaders });
}

/** Shows the dashboard without pending work, whatever other tests create. */
async function hidePendingWork(page: Page): Promise<void> {
  await page.route('**/api/admin/status', (route) => route.fulfill({ json: noPendingWork }));
}

/** Asks for another email address, which waits for its confirmation. */
async function requestEmailChange(page: Page): Promise<void> {
  await post(page.request, '/api/account/email', {
    email: `${uniqueName('new')}@mail.example`,
    currentPassword: userPassword,
  });
}

async function openComposition(page: Page): Promise<void> {
  await page.getByText('Composition and risk levels').click();
  await page.getByRole('heading', { name: 'Top TLDs' }).waitFor();
}

/** Sends a test event and opens its delivery. */
async function openDelivery(page: Page): Promise<void> {
  await clickButton(page, /^Send test to/);
  await page.getByText('webhook.test').first().click();
}

async function openAppealForm(page: Page): Promise<void> {
  await clickButton(page, 'Appeal this listing');
  await page.getByRole('form', { name: 'Appeal' }).waitFor();
}

async function chooseFeedAction(page: Page, feed: string, action: string): Promise<void> {
  await clickButton(page, `More actions for ${feed}`);
  await page.getByRole('menuitem', { name: action }).click();
}

const waitForDialog = (page: Page) => page.getByRole('dialog').waitFor();

async function clickButton(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name }).first().click();
}

async function routeAccessRequest(page: Page): Promise<void> {
  const json = { name: 'Claude', host: 'claude.ai', isLocal: false, scopes: ['check', 'read', 'write'] };
  await page.route('**/api/oauth/requests/*', (route) => route.fulfill({ json }));
}
