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
import type { User } from '#shared/accounts.ts';
import { readSearch, writeSearch } from '../../lib/search-values.ts';
import { sessionKey } from '../../session/session.tsx';
import { saveReturnUrl } from '../../subscriptions/subscriptions.ts';
import { usePaymentReturn } from './payment-return.tsx';

const user: User = {
  id: 7,
  email: 'ada@mail.example',
  username: 'ada',
  displayName: null,
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

/** The account at this address. @param who null before it is known who is signed in */
async function openAccount(address: string, who: User | null = null) {
  const root = createRootRoute();
  const account = createRoute({ getParentRoute: () => root, path: '/account', component: Account });
  const domains = createRoute({ getParentRoute: () => root, path: '/domains', component: () => <p>the list</p> });
  const history = createMemoryHistory({ initialEntries: ['/before', address] });
  const router = createRouter({
    routeTree: root.addChildren([account, domains]),
    history,
    parseSearch: readSearch,
    stringifySearch: writeSearch,
  });
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  queries.setQueryData(sessionKey, who);
  await router.load();
  render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        {/* The router of this test has two of the site's screens. */}
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </StrictMode>,
  );
  return { history, arrive: () => act(async () => queries.setQueryData(sessionKey, user)) };
}

/** As the browser leaves for a payment from this address. */
function leaveFrom(address: string): void {
  const before = window.location.href;
  window.history.replaceState(null, '', address);
  saveReturnUrl(null);
  window.history.replaceState(null, '', before);
}

it('without a stored address a success is told, and leaves the address with its place in the history', async () => {
  const { history, arrive } = await openAccount('/account?subscription=success&tab=security');
  await arrive();
  await waitFor(() => expect(history.location.href).toBe('/account?tab=security'));
  expect(screen.getByText('success, no test')).toBeTruthy();
  expect(history.length).toBe(2);
});

it('nothing happens before it is known who is signed in', async () => {
  leaveFrom('/domains?search=casino');
  const { history, arrive } = await openAccount('/account?subscription=success');
  expect(history.location.href).toBe('/account?subscription=success');
  expect(localStorage.length).toBe(1);
  await arrive();
  await waitFor(() => expect(history.location.href).toBe('/domains?search=casino'));
  expect(localStorage.length).toBe(0);
});

it('a stored address leads back there whatever the query says', async () => {
  leaveFrom('/domains');
  const { history, arrive } = await openAccount('/account');
  await arrive();
  await waitFor(() => expect(history.location.href).toBe('/domains'));
});

it('drawn twice, as React does while one works on the site, it is told and followed once', async () => {
  leaveFrom('/domains');
  const { history } = await openAccount('/account?subscription=success', user);
  await waitFor(() => expect(history.location.href).toBe('/domains'));
  await act(async () => undefined);
  expect(history.location.href).toBe('/domains');
});

it('a stored address of another site leads to the account', async () => {
  localStorage.setItem('return-url', 'https://evil.example/domains');
  const { history, arrive } = await openAccount('/account?subscription=canceled');
  await arrive();
  await waitFor(() => expect(history.location.href).toBe('/account'));
  expect(screen.getByText('canceled, no test')).toBeTruthy();
  expect(localStorage.length).toBe(0);
});

it('a test is told as one, also alone', async () => {
  const { history, arrive } = await openAccount('/account?test=true');
  await arrive();
  await waitFor(() => expect(history.location.href).toBe('/account'));
  expect(screen.getByText('undefined, a test')).toBeTruthy();
});

it('who comes to the account for itself is told nothing', async () => {
  const { history, arrive } = await openAccount('/account?subscription=whatever&tab=security');
  await arrive();
  expect(screen.getByText('nothing')).toBeTruthy();
  expect(history.location.href).toBe('/account?subscription=whatever&tab=security');
});
