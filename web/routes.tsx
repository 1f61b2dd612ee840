import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  notFound,
  type RouteComponent,
  type RouterHistory,
} from '@tanstack/react-router';
import { sessionQuery } from './accounts/sessions/session.tsx';
import { paths } from './paths.ts';
import { isAdopting } from './platform/endpoint-query.ts';
import { lazyPart } from './platform/load-part.ts';
import { pageState } from './platform/page-state.ts';
import { readSearch, writeSearch } from './platform/search-values.ts';
import { ErrorScreen, Loading } from './shell/fallback-screens.tsx';
import { AdminOnly, SignedIn } from './shell/guard.tsx';
import { Layout } from './shell/layout.tsx';

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: Layout });
const signedIn = createRoute({ getParentRoute: () => root, id: 'signed-in', component: SignedIn });
const adminOnly = createRoute({ getParentRoute: () => root, id: 'admin-only', component: AdminOnly });
const NotFound = lazyPart(() => import('./shell/not-found.tsx'), 'NotFound');

/**
 * A screen, whose code and first responses are requested at the same time: when it opens, and when a link to it is
 * hovered or focused.
 * @param check throws if the screen does not exist
 */
function screen<Parent extends typeof root | typeof signedIn | typeof adminOnly, Path extends string>(
  parent: Parent,
  path: Path,
  component: RouteComponent,
  check?: () => void,
) {
  return createRoute({
    getParentRoute: () => parent,
    path,
    component,
    loader: ({ context: { queryClient }, params, location: { search }, preload: isPreload }) => {
      check?.();
      const user = queryClient.getQueryData(sessionQuery.queryKey);
      // A served page contains its responses. What visitors read are mostly documents.
      if (!user || (parent === adminOnly && !user.isAdmin) || isAdopting(queryClient)) return;
      const visit = { params, search, user, isPreload };
      const loading = loadQueries().then(({ loadScreenData }) => loadScreenData(queryClient, path, visit));
      // The screen requests what is missing, and does not wait.
      loading.catch(() => undefined);
    },
  });
}

/** Loads the queries of all screens. */
const loadQueries = () => import('./queries.ts');

/** A part with the rest of Mantine's styles. These are requested first so that the styles of the part win. */
function appPart<Module, Name extends keyof Module & string>(load: () => Promise<Module>, name: Name) {
  return lazyPart(async () => {
    const [, module] = await Promise.all([import('./ui/more-styles.ts'), load()]);
    return module;
  }, name);
}

const home = screen(
  root,
  paths.home,
  lazyPart(() => import('./site/home/home-page.tsx'), 'HomePage'),
);
const check = screen(
  root,
  paths.check,
  lazyPart(() => import('./checks/domain-lists/check-list-page.tsx'), 'CheckListPage'),
);
const features = screen(
  root,
  paths.features,
  lazyPart(() => import('./site/pages/features-page.tsx'), 'FeaturesPage'),
);
const useCases = screen(
  root,
  paths.useCases,
  lazyPart(() => import('./site/pages/use-cases-page.tsx'), 'UseCasesPage'),
);
const methodology = screen(
  root,
  paths.methodology,
  lazyPart(() => import('./site/pages/methodology-page.tsx'), 'MethodologyPage'),
);
const updates = screen(
  root,
  paths.updates,
  lazyPart(() => import('./blacklist/updates/updates-page.tsx'), 'UpdatesPage'),
);
const extension = screen(
  root,
  paths.extension,
  lazyPart(() => import('./site/extension/extension-page.tsx'), 'ExtensionPage'),
);
const about = screen(
  root,
  paths.about,
  lazyPart(() => import('./site/pages/about-page.tsx'), 'AboutPage'),
);
const privacyPolicy = screen(
  root,
  paths.privacyPolicy,
  lazyPart(() => import('./site/pages/privacy-policy-page.tsx'), 'PrivacyPolicyPage'),
);
const termsOfService = screen(
  root,
  paths.termsOfService,
  lazyPart(() => import('./site/pages/terms-of-service-page.tsx'), 'TermsOfServicePage'),
);
const accessibility = screen(
  root,
  paths.accessibility,
  lazyPart(() => import('./site/pages/accessibility-page.tsx'), 'AccessibilityPage'),
);
const crawler = screen(
  root,
  paths.crawler,
  lazyPart(() => import('./site/pages/crawler-page.tsx'), 'CrawlerPage'),
);
const pricing = screen(
  root,
  paths.pricing,
  lazyPart(() => import('./site/pages/pricing-page.tsx'), 'PricingPage'),
);
const contact = screen(
  root,
  paths.contact,
  lazyPart(() => import('./operations/messages/contact-page.tsx'), 'ContactPage'),
);
const apiDocs = screen(
  root,
  paths.apiDocs,
  lazyPart(() => import('./checks/api-docs/api-docs-page.tsx'), 'ApiDocsPage'),
);
const domainPage = screen(
  root,
  paths.domainPage,
  lazyPart(() => import('./checks/domain-pages/domain-page.tsx'), 'DomainPage'),
);
const auth = screen(
  root,
  paths.auth,
  appPart(() => import('./accounts/accounts/auth-page.tsx'), 'AuthPage'),
);
const setup = screen(
  root,
  paths.setup,
  appPart(() => import('./operations/setup/setup-page.tsx'), 'SetupPage'),
);
const debugLogin = screen(
  root,
  paths.debugLogin,
  appPart(() => import('./accounts/accounts/debug-login-page.tsx'), 'DebugLoginPage'),
  debugOnly,
);
const testStripe = screen(
  root,
  paths.testStripe,
  appPart(() => import('./accounts/subscriptions/test-stripe-page.tsx'), 'TestStripePage'),
  debugOnly,
);
const testStripeCheckout = screen(
  root,
  paths.testStripeCheckout,
  appPart(() => import('./accounts/subscriptions/test-stripe-checkout-page.tsx'), 'TestStripeCheckoutPage'),
  debugOnly,
);
const domainsPage = lazyPart(() => import('./blacklist/domains/domains-page.tsx'), 'DomainsPage');
const dashboard = screen(signedIn, paths.dashboard, domainsPage);
const domains = screen(signedIn, paths.domains, domainsPage);
const riskAssessment = screen(
  signedIn,
  paths.riskAssessment,
  appPart(() => import('./reports/backlinks/risk-assessment-page.tsx'), 'RiskAssessmentPage'),
);
const alerts = screen(
  signedIn,
  paths.alerts,
  appPart(() => import('./reports/alerts/alerts-page.tsx'), 'AlertsPage'),
);
const reportPage = appPart(() => import('./reports/backlinks/report/any-report-page.tsx'), 'AnyReportPage');
const report = screen(signedIn, paths.report, reportPage);
const disavow = screen(
  signedIn,
  paths.disavow,
  appPart(() => import('./reports/disavow-files/disavow-page.tsx'), 'DisavowPage'),
);
const sharedReport = screen(root, paths.sharedReport, reportPage);
const submitSites = screen(
  signedIn,
  paths.submitSites,
  appPart(() => import('./blacklist/submissions/submit-page.tsx'), 'SubmitPage'),
);
const account = screen(
  signedIn,
  paths.account,
  appPart(() => import('./operations/account/account-page.tsx'), 'AccountPage'),
);
const connect = screen(
  signedIn,
  paths.connect,
  appPart(() => import('./operations/account/connect-page.tsx'), 'ConnectPage'),
);
const simulateCheckout = screen(
  signedIn,
  paths.simulateCheckout,
  appPart(() => import('./accounts/subscriptions/simulate-checkout-page.tsx'), 'SimulateCheckoutPage'),
);
const admin = screen(
  adminOnly,
  paths.admin,
  appPart(() => import('./operations/admin/admin-page.tsx'), 'AdminPage'),
);
const adminPanel = screen(
  adminOnly,
  paths.adminPanel,
  appPart(() => import('./operations/admin/admin-panel-page.tsx'), 'AdminPanelPage'),
);
const adminWebsites = screen(
  adminOnly,
  paths.adminWebsites,
  appPart(() => import('./reports/websites/manage-websites-page.tsx'), 'ManageWebsitesPage'),
);
const adminSubmissions = screen(
  adminOnly,
  paths.adminSubmissions,
  appPart(() => import('./blacklist/submissions/review-page.tsx'), 'ReviewPage'),
);
const adminDiscoveries = screen(
  adminOnly,
  paths.adminDiscoveries,
  appPart(() => import('./blacklist/discoveries/discoveries-page.tsx'), 'DiscoveriesPage'),
);
const adminSources = screen(
  adminOnly,
  paths.adminSources,
  appPart(() => import('./blacklist/sources/sources-page.tsx'), 'SourcesPage'),
);
const adminHeld = screen(
  adminOnly,
  paths.adminHeld,
  appPart(() => import('./blacklist/held/held-page.tsx'), 'HeldPage'),
);
const adminFeeds = screen(
  adminOnly,
  paths.adminFeeds,
  appPart(() => import('./blacklist/feeds/feeds-page.tsx'), 'FeedsPage'),
);
const adminInbox = screen(
  adminOnly,
  paths.adminInbox,
  appPart(() => import('./operations/messages/inbox-page.tsx'), 'InboxPage'),
);

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
  accessibility,
  crawler,
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
    connect,
    simulateCheckout,
  ]),
  adminOnly.addChildren([
    admin,
    adminPanel,
    adminWebsites,
    adminInbox,
    adminSubmissions,
    adminDiscoveries,
    adminSources,
    adminHeld,
    adminFeeds,
  ]),
]);

/**
 * Creates the router of the whole site. The code of each screen is loaded when it is first needed.
 * @param history a memory history for rendering without a browser
 */
export function createSiteRouter(queryClient: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree,
    context: { queryClient },
    ...(history && { history }),
    // Old links to reports say `risk`.
    parseSearch: (query) => readSearch(query.replace(/([?&])risk=/, '$1riskLevel=')),
    stringifySearch: writeSearch,
    // The server is case-sensitive too: /Features returns 404.
    caseSensitive: true,
    defaultPreload: 'intent',
    // The cache of queries decides what is requested again.
    defaultPreloadStaleTime: 0,
    defaultPendingComponent: Loading,
    defaultErrorComponent: ErrorScreen,
    defaultNotFoundComponent: NotFound,
    // On the server, it would add an inline script, which the Content-Security-Policy blocks.
    scrollRestoration: history === undefined && restoreScroll(),
  });
}

/**
 * Restores the scroll position of each screen. The first one stays where the browser or the user has scrolled it before
 * the app starts.
 */
function restoreScroll(): () => boolean {
  const wasLoaded = document.readyState === 'complete';
  let isFirst = true;
  return () => {
    const wasFirst = isFirst;
    isFirst = false;
    return !wasFirst || (!wasLoaded && scrollY === 0);
  };
}

/** Shows the not-found page if debugging is off, as the server does. */
function debugOnly(): void {
  if (!pageState().debug) throw notFound();
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createSiteRouter>;
  }
}
