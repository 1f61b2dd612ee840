import { createRootRoute, createRoute, createRouter, notFound, type RouterHistory } from '@tanstack/react-router';
import { domainsSearch } from './blacklist/domains/search.ts';
import { paths } from './paths.ts';
import { lazyPart } from './platform/load-part.ts';
import { pageState } from './platform/page-state.ts';
import { readSearch, writeSearch } from './platform/search-values.ts';
import { ErrorScreen, Loading } from './shell/fallback-screens.tsx';
import { AdminOnly, SignedIn } from './shell/guard.tsx';
import { Layout } from './shell/layout.tsx';

const root = createRootRoute({ component: Layout });
const NotFound = lazyPart(() => import('./shell/not-found.tsx'), 'NotFound');

const home = createRoute({
  getParentRoute: () => root,
  path: paths.home,
  component: lazyPart(() => import('./site/home/home-page.tsx'), 'HomePage'),
});

const check = createRoute({
  getParentRoute: () => root,
  path: paths.check,
  component: lazyPart(() => import('./checks/domain-lists/check-list-page.tsx'), 'CheckListPage'),
});

const features = createRoute({
  getParentRoute: () => root,
  path: paths.features,
  component: lazyPart(() => import('./site/pages/features-page.tsx'), 'FeaturesPage'),
});

const useCases = createRoute({
  getParentRoute: () => root,
  path: paths.useCases,
  component: lazyPart(() => import('./site/pages/use-cases-page.tsx'), 'UseCasesPage'),
});

const methodology = createRoute({
  getParentRoute: () => root,
  path: paths.methodology,
  component: lazyPart(() => import('./site/pages/methodology-page.tsx'), 'MethodologyPage'),
});

const updates = createRoute({
  getParentRoute: () => root,
  path: paths.updates,
  component: lazyPart(() => import('./blacklist/updates/updates-page.tsx'), 'UpdatesPage'),
});

const extension = createRoute({
  getParentRoute: () => root,
  path: paths.extension,
  component: lazyPart(() => import('./site/extension/extension-page.tsx'), 'ExtensionPage'),
});

const about = createRoute({
  getParentRoute: () => root,
  path: paths.about,
  component: lazyPart(() => import('./site/pages/about-page.tsx'), 'AboutPage'),
});

const privacyPolicy = createRoute({
  getParentRoute: () => root,
  path: paths.privacyPolicy,
  component: lazyPart(() => import('./site/pages/privacy-policy-page.tsx'), 'PrivacyPolicyPage'),
});

const termsOfService = createRoute({
  getParentRoute: () => root,
  path: paths.termsOfService,
  component: lazyPart(() => import('./site/pages/terms-of-service-page.tsx'), 'TermsOfServicePage'),
});

const pricing = createRoute({
  getParentRoute: () => root,
  path: paths.pricing,
  component: lazyPart(() => import('./site/pages/pricing-page.tsx'), 'PricingPage'),
});

const contact = createRoute({
  getParentRoute: () => root,
  path: paths.contact,
  component: lazyPart(() => import('./operations/messages/contact-page.tsx'), 'ContactPage'),
});

const apiDocs = createRoute({
  getParentRoute: () => root,
  path: paths.apiDocs,
  component: lazyPart(() => import('./checks/api-docs/api-docs-page.tsx'), 'ApiDocsPage'),
});

const domainPage = createRoute({
  getParentRoute: () => root,
  path: paths.domainPage,
  component: lazyPart(() => import('./checks/domain-pages/domain-page.tsx'), 'DomainPage'),
});

const auth = createRoute({
  getParentRoute: () => root,
  path: paths.auth,
  component: lazyPart(() => withStyles(() => import('./accounts/accounts/auth-page.tsx')), 'AuthPage'),
});

const setup = createRoute({
  getParentRoute: () => root,
  path: paths.setup,
  component: lazyPart(() => withStyles(() => import('./operations/setup/setup-page.tsx')), 'SetupPage'),
});

const debugLogin = createRoute({
  getParentRoute: () => root,
  path: paths.debugLogin,
  beforeLoad: debugOnly,
  component: lazyPart(() => withStyles(() => import('./accounts/accounts/debug-login-page.tsx')), 'DebugLoginPage'),
});

const testStripe = createRoute({
  getParentRoute: () => root,
  path: paths.testStripe,
  beforeLoad: debugOnly,
  component: lazyPart(
    () => withStyles(() => import('./accounts/subscriptions/test-stripe-page.tsx')),
    'TestStripePage',
  ),
});

const testStripeCheckout = createRoute({
  getParentRoute: () => root,
  path: paths.testStripeCheckout,
  beforeLoad: debugOnly,
  component: lazyPart(
    () => withStyles(() => import('./accounts/subscriptions/test-stripe-checkout-page.tsx')),
    'TestStripeCheckoutPage',
  ),
});

const signedIn = createRoute({ getParentRoute: () => root, id: 'signed-in', component: SignedIn });

const domainsPage = lazyPart(() => import('./blacklist/domains/domains-page.tsx'), 'DomainsPage');

const dashboard = createRoute({
  getParentRoute: () => signedIn,
  path: paths.dashboard,
  validateSearch: domainsSearch,
  component: domainsPage,
});

const domains = createRoute({
  getParentRoute: () => signedIn,
  path: paths.domains,
  validateSearch: domainsSearch,
  component: domainsPage,
});

const riskAssessment = createRoute({
  getParentRoute: () => signedIn,
  path: paths.riskAssessment,
  component: lazyPart(
    () => withStyles(() => import('./reports/backlinks/risk-assessment-page.tsx')),
    'RiskAssessmentPage',
  ),
});

const alerts = createRoute({
  getParentRoute: () => signedIn,
  path: paths.alerts,
  component: lazyPart(() => withStyles(() => import('./reports/alerts/alerts-page.tsx')), 'AlertsPage'),
});

const reportPage = lazyPart(
  () => withStyles(() => import('./reports/backlinks/report/any-report-page.tsx')),
  'AnyReportPage',
);

const report = createRoute({
  getParentRoute: () => signedIn,
  path: paths.report,
  component: reportPage,
});

const disavow = createRoute({
  getParentRoute: () => signedIn,
  path: paths.disavow,
  component: lazyPart(() => withStyles(() => import('./reports/disavow-files/disavow-page.tsx')), 'DisavowPage'),
});

const sharedReport = createRoute({
  getParentRoute: () => root,
  path: paths.sharedReport,
  component: reportPage,
});

const submitSites = createRoute({
  getParentRoute: () => signedIn,
  path: paths.submitSites,
  component: lazyPart(() => withStyles(() => import('./blacklist/submissions/submit-page.tsx')), 'SubmitPage'),
});

const account = createRoute({
  getParentRoute: () => signedIn,
  path: paths.account,
  component: lazyPart(() => withStyles(() => import('./operations/account/account-page.tsx')), 'AccountPage'),
});

const simulateCheckout = createRoute({
  getParentRoute: () => signedIn,
  path: paths.simulateCheckout,
  component: lazyPart(
    () => withStyles(() => import('./accounts/subscriptions/simulate-checkout-page.tsx')),
    'SimulateCheckoutPage',
  ),
});

const adminOnly = createRoute({ getParentRoute: () => root, id: 'admin-only', component: AdminOnly });

const admin = createRoute({
  getParentRoute: () => adminOnly,
  path: paths.admin,
  component: lazyPart(() => withStyles(() => import('./operations/admin/admin-page.tsx')), 'AdminPage'),
});

const adminPanel = createRoute({
  getParentRoute: () => adminOnly,
  path: paths.adminPanel,
  component: lazyPart(() => withStyles(() => import('./operations/admin/admin-panel-page.tsx')), 'AdminPanelPage'),
});

const adminWebsites = createRoute({
  getParentRoute: () => adminOnly,
  path: paths.adminWebsites,
  component: lazyPart(
    () => withStyles(() => import('./reports/websites/manage-websites-page.tsx')),
    'ManageWebsitesPage',
  ),
});

const adminSubmissions = createRoute({
  getParentRoute: () => adminOnly,
  path: paths.adminSubmissions,
  component: lazyPart(() => withStyles(() => import('./blacklist/submissions/review-page.tsx')), 'ReviewPage'),
});

const adminSources = createRoute({
  getParentRoute: () => adminOnly,
  path: paths.adminSources,
  component: lazyPart(() => withStyles(() => import('./blacklist/sources/sources-page.tsx')), 'SourcesPage'),
});

const adminHeld = createRoute({
  getParentRoute: () => adminOnly,
  path: paths.adminHeld,
  component: lazyPart(() => withStyles(() => import('./blacklist/held/held-page.tsx')), 'HeldPage'),
});

const adminFeeds = createRoute({
  getParentRoute: () => adminOnly,
  path: paths.adminFeeds,
  component: lazyPart(() => withStyles(() => import('./blacklist/feeds/feeds-page.tsx')), 'FeedsPage'),
});

const adminInbox = createRoute({
  getParentRoute: () => adminOnly,
  path: paths.adminInbox,
  component: lazyPart(() => withStyles(() => import('./operations/messages/inbox-page.tsx')), 'InboxPage'),
});

const routeTree = root.addChildren([
  home,
  check,
  features,
  useCases,
  methodology,
  updates,
  extension,
  about,
  privacyPolicy,
  termsOfService,
  pricing,
  contact,
  apiDocs,
  domainPage,
  sharedReport,
  auth,
  setup,
  debugLogin,
  testStripe,
  testStripeCheckout,
  signedIn.addChildren([
    dashboard,
    domains,
    riskAssessment,
    alerts,
    report,
    disavow,
    submitSites,
    account,
    simulateCheckout,
  ]),
  adminOnly.addChildren([
    admin,
    adminPanel,
    adminWebsites,
    adminInbox,
    adminSubmissions,
    adminSources,
    adminHeld,
    adminFeeds,
  ]),
]);

/**
 * Creates the router of the whole site. The code of each screen is loaded when it is first needed.
 * @param history a memory history for rendering without a browser
 */
export function createSiteRouter(history?: RouterHistory) {
  return createRouter({
    routeTree,
    ...(history && { history }),
    // Old links to reports say `risk`.
    parseSearch: (query) => readSearch(query.replace(/([?&])risk=/, '$1riskLevel=')),
    stringifySearch: writeSearch,
    // The server is case-sensitive too: /Features returns 404.
    caseSensitive: true,
    defaultPreload: 'intent',
    defaultPendingComponent: Loading,
    defaultErrorComponent: ErrorScreen,
    defaultNotFoundComponent: NotFound,
    // When prerendering, it would add an inline script, which the Content-Security-Policy blocks.
    scrollRestoration: history === undefined && restoreScroll(),
  });
}

/** Restores the scroll position of each screen, except of a page that was already loaded when the app starts. */
function restoreScroll(): true | (() => boolean) {
  if (document.readyState !== 'complete') return true;
  let isFirst = true;
  return () => {
    const wasFirst = isFirst;
    isFirst = false;
    return !wasFirst;
  };
}

/** Shows the not-found page if debugging is off, as the server does. */
function debugOnly(): void {
  if (!pageState().debug) throw notFound();
}

/** Loads a screen and the rest of Mantine's styles. These are requested first so that the screen's styles win. */
async function withStyles<T>(load: () => Promise<T>): Promise<T> {
  const [, screen] = await Promise.all([import('./ui/more-styles.ts'), load()]);
  return screen;
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createSiteRouter>;
  }
}
