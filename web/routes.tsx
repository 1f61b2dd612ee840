import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent as lazyRoute,
  notFound,
  type RouterHistory,
} from '@tanstack/react-router';
import { domainsSearch } from './blacklist/domains/search.ts';
import { paths } from './paths.ts';
import { loadPart } from './platform/load-part.ts';
import { pageState } from './platform/page-state.ts';
import { readSearch, writeSearch } from './platform/search-values.ts';
import { ErrorScreen, Loading } from './shell/fallback-screens.tsx';
import { AdminOnly, SignedIn } from './shell/guard.tsx';
import { Layout } from './shell/layout.tsx';

/** A screen that is loaded when it is first needed and there is a connection. A served page names it. */
const lazyRouteComponent: typeof lazyRoute = (load, name) =>
  Object.assign(
    lazyRoute(() => loadPart(load), name),
    { screen: name },
  );

const root = createRootRoute({
  component: Layout,
  notFoundComponent: lazyRouteComponent(() => import('./shell/not-found.tsx'), 'NotFound'),
});

const home = createRoute({
  getParentRoute: () => root,
  path: paths.home,
  component: lazyRouteComponent(() => import('./site/home/home-page.tsx'), 'HomePage'),
});

const check = createRoute({
  getParentRoute: () => root,
  path: paths.check,
  component: lazyRouteComponent(() => import('./checks/domain-lists/check-list-page.tsx'), 'CheckListPage'),
});

const features = createRoute({
  getParentRoute: () => root,
  path: paths.features,
  component: lazyRouteComponent(() => import('./site/pages/features-page.tsx'), 'FeaturesPage'),
});

const useCases = createRoute({
  getParentRoute: () => root,
  path: paths.useCases,
  component: lazyRouteComponent(() => import('./site/pages/use-cases-page.tsx'), 'UseCasesPage'),
});

const methodology = createRoute({
  getParentRoute: () => root,
  path: paths.methodology,
  component: lazyRouteComponent(() => import('./site/pages/methodology-page.tsx'), 'MethodologyPage'),
});

const updates = createRoute({
  getParentRoute: () => root,
  path: paths.updates,
  component: lazyRouteComponent(() => import('./blacklist/updates/updates-page.tsx'), 'UpdatesPage'),
});

const extension = createRoute({
  getParentRoute: () => root,
  path: paths.extension,
  component: lazyRouteComponent(() => import('./site/extension/extension-page.tsx'), 'ExtensionPage'),
});

const about = createRoute({
  getParentRoute: () => root,
  path: paths.about,
  component: lazyRouteComponent(() => import('./site/pages/about-page.tsx'), 'AboutPage'),
});

const privacyPolicy = createRoute({
  getParentRoute: () => root,
  path: paths.privacyPolicy,
  component: lazyRouteComponent(() => import('./site/pages/privacy-policy-page.tsx'), 'PrivacyPolicyPage'),
});

const termsOfService = createRoute({
  getParentRoute: () => root,
  path: paths.termsOfService,
  component: lazyRouteComponent(() => import('./site/pages/terms-of-service-page.tsx'), 'TermsOfServicePage'),
});

const pricing = createRoute({
  getParentRoute: () => root,
  path: paths.pricing,
  component: lazyRouteComponent(() => import('./site/pages/pricing-page.tsx'), 'PricingPage'),
});

const contact = createRoute({
  getParentRoute: () => root,
  path: paths.contact,
  component: lazyRouteComponent(() => import('./operations/messages/contact-page.tsx'), 'ContactPage'),
});

const apiDocs = createRoute({
  getParentRoute: () => root,
  path: paths.apiDocs,
  component: lazyRouteComponent(() => import('./checks/api-docs/api-docs-page.tsx'), 'ApiDocsPage'),
});

const domainPage = createRoute({
  getParentRoute: () => root,
  path: paths.domainPage,
  component: lazyRouteComponent(() => import('./checks/domain-pages/domain-page.tsx'), 'DomainPage'),
});

const auth = createRoute({
  getParentRoute: () => root,
  path: paths.auth,
  component: lazyRouteComponent(() => withStyles(() => import('./accounts/accounts/auth-page.tsx')), 'AuthPage'),
});

const setup = createRoute({
  getParentRoute: () => root,
  path: paths.setup,
  component: lazyRouteComponent(() => withStyles(() => import('./operations/setup/setup-page.tsx')), 'SetupPage'),
});

const debugLogin = createRoute({
  getParentRoute: () => root,
  path: paths.debugLogin,
  beforeLoad: debugOnly,
  component: lazyRouteComponent(
    () => withStyles(() => import('./accounts/accounts/debug-login-page.tsx')),
    'DebugLoginPage',
  ),
});

const testStripe = createRoute({
  getParentRoute: () => root,
  path: paths.testStripe,
  beforeLoad: debugOnly,
  component: lazyRouteComponent(
    () => withStyles(() => import('./accounts/subscriptions/test-stripe-page.tsx')),
    'TestStripePage',
  ),
});

const testStripeCheckout = createRoute({
  getParentRoute: () => root,
  path: paths.testStripeCheckout,
  beforeLoad: debugOnly,
  component: lazyRouteComponent(
    () => withStyles(() => import('./accounts/subscriptions/test-stripe-checkout-page.tsx')),
    'TestStripeCheckoutPage',
  ),
});

const signedIn = createRoute({ getParentRoute: () => root, id: 'signed-in', component: SignedIn });

const domainsPage = lazyRouteComponent(() => import('./blacklist/domains/domains-page.tsx'), 'DomainsPage');

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
  component: lazyRouteComponent(
    () => withStyles(() => import('./reports/backlinks/risk-assessment-page.tsx')),
    'RiskAssessmentPage',
  ),
});

const alerts = createRoute({
  getParentRoute: () => signedIn,
  path: paths.alerts,
  component: lazyRouteComponent(() => withStyles(() => import('./reports/alerts/alerts-page.tsx')), 'AlertsPage'),
});

const reportPage = lazyRouteComponent(
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
  component: lazyRouteComponent(
    () => withStyles(() => import('./reports/disavow-files/disavow-page.tsx')),
    'DisavowPage',
  ),
});

const sharedReport = createRoute({
  getParentRoute: () => root,
  path: paths.sharedReport,
  component: reportPage,
});

const submitSites = createRoute({
  getParentRoute: () => signedIn,
  path: paths.submitSites,
  component: lazyRouteComponent(
    () => withStyles(() => import('./blacklist/submissions/submit-page.tsx')),
    'SubmitPage',
  ),
});

const account = createRoute({
  getParentRoute: () => signedIn,
  path: paths.account,
  component: lazyRouteComponent(() => withStyles(() => import('./operations/account/account-page.tsx')), 'AccountPage'),
});

const simulateCheckout = createRoute({
  getParentRoute: () => signedIn,
  path: paths.simulateCheckout,
  component: lazyRouteComponent(
    () => withStyles(() => import('./accounts/subscriptions/simulate-checkout-page.tsx')),
    'SimulateCheckoutPage',
  ),
});

const adminOnly = createRoute({ getParentRoute: () => root, id: 'admin-only', component: AdminOnly });

const admin = createRoute({
  getParentRoute: () => adminOnly,
  path: paths.admin,
  component: lazyRouteComponent(() => withStyles(() => import('./operations/admin/admin-page.tsx')), 'AdminPage'),
});

const adminPanel = createRoute({
  getParentRoute: () => adminOnly,
  path: paths.adminPanel,
  component: lazyRouteComponent(
    () => withStyles(() => import('./operations/admin/admin-panel-page.tsx')),
    'AdminPanelPage',
  ),
});

const adminWebsites = createRoute({
  getParentRoute: () => adminOnly,
  path: paths.adminWebsites,
  component: lazyRouteComponent(
    () => withStyles(() => import('./reports/websites/manage-websites-page.tsx')),
    'ManageWebsitesPage',
  ),
});

const adminSubmissions = createRoute({
  getParentRoute: () => adminOnly,
  path: paths.adminSubmissions,
  component: lazyRouteComponent(
    () => withStyles(() => import('./blacklist/submissions/review-page.tsx')),
    'ReviewPage',
  ),
});

const adminSources = createRoute({
  getParentRoute: () => adminOnly,
  path: paths.adminSources,
  component: lazyRouteComponent(() => withStyles(() => import('./blacklist/sources/sources-page.tsx')), 'SourcesPage'),
});

const adminHeld = createRoute({
  getParentRoute: () => adminOnly,
  path: paths.adminHeld,
  component: lazyRouteComponent(() => withStyles(() => import('./blacklist/held/held-page.tsx')), 'HeldPage'),
});

const adminFeeds = createRoute({
  getParentRoute: () => adminOnly,
  path: paths.adminFeeds,
  component: lazyRouteComponent(() => withStyles(() => import('./blacklist/feeds/feeds-page.tsx')), 'FeedsPage'),
});

const adminInbox = createRoute({
  getParentRoute: () => adminOnly,
  path: paths.adminInbox,
  component: lazyRouteComponent(() => withStyles(() => import('./operations/messages/inbox-page.tsx')), 'InboxPage'),
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
