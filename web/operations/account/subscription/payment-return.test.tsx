// @vitest-environment happy-dom

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { StrictMode } from 'react';
import { afterEach, expect, it } from 'vitest';
import type { User } from '#shared/accounts/accounts.ts';
import { sessionKey } from '../../../accounts/sessions/session.tsx';
import { saveReturnUrl } from '../../../accounts/subscriptions/subscriptions.ts';
import { readSearch, writeSearch } from '../../../platform/search-values.ts';
import { usePaymentReturn } from './payment-return.tsx';

const user: User = {
  id: 7,
  email: 'ada@mail.example',
  username: 'ada',
  displayName: null,
  isEmailConfirmed: true,
  photoURL: null,
  firebaseUid: null,
  isAdmin: false,
  searchCount: 0,
  searchLimit: null,
  searchesUsed: 0,
  subscriptionTier: 'full_access',
  subscriptionStatus: 'active',
};

afterEach(() => {
  cleanup();
  localStorage.clear();
});

function Account() {
  const { payment } = usePaymentReturn();
  return <p>{payment ? `${payment.outcome}, ${payment.isTest ? 'a test' : 'no test'}` : 'nothing'}</p>;
}

/** Opens the account screen. @param url its path and query @param initialUser null while the session is not loaded */
async function openAccount(url: string, initialUser: User | null = null) {
  const root = createRootRoute();
  const account = createRoute({ getParentRoute: () => root, path: '/account', component: Account });
  const domains = createRoute({ getParentRoute: () => root, path: '/domains', component: () => <p>the list</p> });
  const history = createMemoryHistory({ initialEntries: ['/before', url] });
  const router = createRouter({
    routeTree: root.addChildren([account, domains]),
    history,
    parseSearch: readSearch,
    stringifySearch: writeSearch,
  });
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  queries.setQueryData(sessionKey, initialUser);
  await router.load();
  render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        {/* The router of this test has only two of the site's screens. */}
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </StrictMode>,
  );
  return { history, loadSession: () => act(async () => queries.setQueryData(sessionKey, user)) };
}

/** Does what the app does before the browser leaves `url` for a payment. */
function leaveFrom(url: string): void {
  const before = window.location.href;
  window.history.replaceState(null, '', url);
  saveReturnUrl(null);
  window.history.replaceState(null, '', before);
}

it('shows a success and removes it from the URL without a new history entry', async () => {
  const { history, loadSession } = await openAccount('/account?subscription=success&tab=profile');
  await loadSession();
  await waitFor(() => expect(history.location.href).toBe('/account?tab=profile'));
  expect(screen.getByText('success, no test')).toBeTruthy();
  expect(history.length).toBe(2);
});

it('does nothing before the session is loaded', async () => {
  leaveFrom('/domains?search=casino');
  const { history, loadSession } = await openAccount('/account?subscription=success');
  expect(history.location.href).toBe('/account?subscription=success');
  expect(localStorage.length).toBe(1);
  await loadSession();
  await waitFor(() => expect(history.location.href).toBe('/domains?search=casino'));
  expect(localStorage.length).toBe(0);
});

it('goes to the stored return URL whatever the query is', async () => {
  leaveFrom('/domains');
  const { history, loadSession } = await openAccount('/account');
  await loadSession();
  await waitFor(() => expect(history.location.href).toBe('/domains'));
});

it('redirects once when React runs effects twice in strict mode', async () => {
  leaveFrom('/domains');
  const { history } = await openAccount('/account?subscription=success', user);
  await waitFor(() => expect(history.location.href).toBe('/domains'));
  await act(async () => undefined);
  expect(history.location.href).toBe('/domains');
});

it('goes to the account if the stored return URL is on another site', async () => {
  localStorage.setItem('return-url', 'https://evil.example/domains');
  const { history, loadSession } = await openAccount('/account?subscription=canceled');
  await loadSession();
  await waitFor(() => expect(history.location.href).toBe('/account'));
  expect(screen.getByText('canceled, no test')).toBeTruthy();
  expect(localStorage.length).toBe(0);
});

it('shows a test payment as a test, even without an outcome', async () => {
  const { history, loadSession } = await openAccount('/account?test=true');
  await loadSession();
  await waitFor(() => expect(history.location.href).toBe('/account'));
  expect(screen.getByText('undefined, a test')).toBeTruthy();
});

it('shows nothing if the user did not come from a payment', async () => {
  const { history, loadSession } = await openAccount('/account?subscription=whatever&tab=profile');
  await loadSession();
  expect(screen.getByText('nothing')).toBeTruthy();
  expect(history.location.href).toBe('/account?subscription=whatever&tab=profile');
});
