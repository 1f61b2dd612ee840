// @vitest-environment happy-dom

import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router';
import { act, cleanup, renderHook } from '@testing-library/react';
import { createElement, type ReactNode } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { leavingTime, useLeaveFor, webAddress } from './use-leave-for.ts';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A screen of a browser, whose leaving is only written down. */
function openScreen() {
  const assigned = vi.spyOn(location, 'assign').mockImplementation(() => undefined);
  const history = createMemoryHistory({ initialEntries: ['/account'] });
  const router = createRouter({ routeTree: createRootRoute(), history });
  const wrapper = ({ children }: { children: ReactNode }) =>
    // The router of this test has none of the site's screens.
    createElement(RouterContextProvider, { router: router as never, children });
  return { assigned, history, ...renderHook(() => useLeaveFor(), { wrapper }) };
}

const checkout = 'https://checkout.stripe.com/c/pay/cs_1';

it('goes to a screen of this site, and to the payment provider', () => {
  const { assigned, history, result } = openScreen();
  act(() => expect(result.current.leaveFor(checkout)).toBe(true));
  expect(assigned.mock.calls).toEqual([[checkout]]);
  expect(result.current.isLeaving).toBe(true);
  act(() => expect(result.current.leaveFor('/simulate-checkout?tier=standard')).toBe(true));
  expect(history.location.href).toBe('/simulate-checkout?tier=standard');
});

it('leads nobody away who has left the screen', () => {
  const { assigned, history, result, unmount } = openScreen();
  unmount();
  expect(result.current.leaveFor(checkout)).toBe(false);
  expect(result.current.leaveFor('/simulate-checkout?tier=standard')).toBe(false);
  expect(assigned).not.toHaveBeenCalled();
  expect(history.location.href).toBe('/account');
});

it('leads nobody away who has set out for another screen that is still being loaded', () => {
  const { assigned, history, result } = openScreen();
  act(() => history.push('/features'));
  expect(result.current.leaveFor(checkout)).toBe(false);
  act(() => history.back());
  act(() => expect(result.current.leaveFor(checkout)).toBe(true));
  expect(assigned.mock.calls).toEqual([[checkout]]);
});

it('a page that the browser does not leave can be used again', () => {
  vi.useFakeTimers();
  const { result } = openScreen();
  act(() => void result.current.leaveFor(checkout));
  act(() => vi.advanceTimersByTime(leavingTime - 1));
  expect(result.current.isLeaving).toBe(true);
  act(() => vi.advanceTimersByTime(1));
  expect(result.current.isLeaving).toBe(false);
});
it('a checkout is an address of the web, here or elsewhere', () => {
  expect(webAddress('https://checkout.stripe.com/c/pay/cs_1#x')).toBe('https://checkout.stripe.com/c/pay/cs_1#x');
  expect(webAddress('/account?subscription=success')).toBe(`${location.origin}/account?subscription=success`);
});

it.each([
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'blob:https://checkout.stripe.com/1',
  'http://',
])('%j is none', (url) => {
  expect(webAddress(url)).toBeUndefined();
});
