import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { authSearch } from './accounts/search.ts';
import { adminPanelSearch } from './admin/search.ts';
import { Crash } from './app/crash.tsx';
import { AdminOnly, SignedIn } from './app/guard.tsx';
import { Layout } from './app/layout.tsx';
import { Loading } from './app/loading.tsx';
import { NotFound } from './app/not-found.tsx';
import { readSearch, writeSearch } from './app/search-params.ts';
import { riskAssessmentSearch } from './backlinks/search.ts';
import { domainsSearch } from './domains/search.ts';
import { paths } from './paths.ts';

const root = createRootRoute({ component: Layout, notFoundComponent: NotFound });

const home = createRoute({
  getParentRoute: () => root,
  path: paths.home,
  component: lazyRouteComponent(() => import('./home/home-page.tsx'), 'HomePage'),
});

const auth = createRoute({
  getParentRoute: () => root,
  path: paths.auth,
  validateSearch: authSearch,
  component: lazyRouteComponent(() => styled(import('./accounts/auth-page.tsx')), 'AuthPage'),
});

const signedIn = createRoute({ getParentRoute: () => root, id: 'signed-in', component: SignedIn });

const domainsPage = lazyRouteComponent(() => import('./domains/domains-page.tsx'), 'DomainsPage');

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
  validateSearch: riskAssessmentSearch,
  component: lazyRouteComponent(() => styled(import('./backlinks/risk-assessment-page.tsx')), 'RiskAssessmentPage'),
});

const account = createRoute({
  getParentRoute: () => signedIn,
  path: paths.account,
  component: lazyRouteComponent(() => styled(import('./accounts/account-page.tsx')), 'AccountPage'),
});

const adminOnly = createRoute({ getParentRoute: () => root, id: 'admin-only', component: AdminOnly });

const admin = createRoute({
  getParentRoute: () => adminOnly,
  path: paths.admin,
  component: lazyRouteComponent(() => styled(import('./admin/admin-page.tsx')), 'AdminPage'),
});

const adminPanel = createRoute({
  getParentRoute: () => adminOnly,
  path: paths.adminPanel,
  validateSearch: adminPanelSearch,
  component: lazyRouteComponent(() => styled(import('./admin/admin-panel-page.tsx')), 'AdminPanelPage'),
});

const routeTree = root.addChildren([
  home,
  auth,
  signedIn.addChildren([dashboard, domains, riskAssessment, account]),
  adminOnly.addChildren([admin, adminPanel]),
]);

/** The router of the whole site: every screen, each loaded when it is first asked for. */
export function createSite() {
  return createRouter({
    routeTree,
    parseSearch: readSearch,
    stringifySearch: writeSearch,
    defaultPreload: 'intent',
    defaultPendingComponent: Loading,
    defaultErrorComponent: Crash,
    scrollRestoration: true,
  });
}

/** A screen with dialogs, tabs or tables from the start: it waits for their styles too. */
async function styled<T>(screen: Promise<T>): Promise<T> {
  await import('./ui/more-styles.ts');
  return screen;
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createSite>;
  }
}
