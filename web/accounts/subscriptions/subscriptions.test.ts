// @vitest-environment happy-dom

import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router';
import { act, cleanup, renderHook } from '@testing-library/react';
import { createElement, type ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { writePageState } from '../../platform/page-state.fixtures.ts';
import {
  clearReturnUrl,
  leaveTimeoutMs,
  resumeUidRemoval,
  saveReturnUrl,
  scheduleUidRemoval,
  takeReturnPath,
  toReturnPath,
  toWebUrl,
  uidLifetimeMs,
  useGoToCheckout,
} from './subscriptions.ts';

describe('goToCheckout', () => {
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  /** Renders the hook on a screen. `assigned` records navigations to other sites, which do not happen. */
  function openScreen() {
    const assigned = vi.spyOn(location, 'assign').mockImplementation(() => undefined);
    const history = createMemoryHistory({ initialEntries: ['/account'] });
    const router = createRouter({ routeTree: createRootRoute(), history });
    const wrapper = ({ children }: { children: ReactNode }) =>
      // The router of this test has no screens.
      createElement(RouterContextProvider, { router: router as never, children });
    return { assigned, history, ...renderHook(() => useGoToCheckout(), { wrapper }) };
  }

  const checkout = 'https://checkout.stripe.com/c/pay/cs_1';

  it('opens a screen of this site and a page of the payment provider', () => {
    const { assigned, history, result } = openScreen();
    act(() => expect(result.current.goToCheckout(checkout)).toBe(true));
    expect(assigned.mock.calls).toEqual([[checkout]]);
    expect(result.current.isLeaving).toBe(true);
    act(() => expect(result.current.goToCheckout('/simulate-checkout?tier=standard')).toBe(true));
    expect(history.location.href).toBe('/simulate-checkout?tier=standard');
  });

  it('does nothing after the user has left the screen', () => {
    const { assigned, history, result, unmount } = openScreen();
    unmount();
    expect(result.current.goToCheckout(checkout)).toBe(false);
    expect(result.current.goToCheckout('/simulate-checkout?tier=standard')).toBe(false);
    expect(assigned).not.toHaveBeenCalled();
    expect(history.location.href).toBe('/account');
  });

  it('does nothing while the next screen is loading', () => {
    const { assigned, history, result } = openScreen();
    act(() => history.push('/features'));
    expect(result.current.goToCheckout(checkout)).toBe(false);
    act(() => history.back());
    act(() => expect(result.current.goToCheckout(checkout)).toBe(true));
    expect(assigned.mock.calls).toEqual([[checkout]]);
  });

  it('can be used again if the browser does not leave the page', () => {
    vi.useFakeTimers();
    const { result } = openScreen();
    act(() => void result.current.goToCheckout(checkout));
    act(() => vi.advanceTimersByTime(leaveTimeoutMs - 1));
    expect(result.current.isLeaving).toBe(true);
    act(() => vi.advanceTimersByTime(1));
    expect(result.current.isLeaving).toBe(false);
  });

  it('accepts HTTP and HTTPS URLs, relative or absolute', () => {
    expect(toWebUrl('https://checkout.stripe.com/c/pay/cs_1#x')).toBe('https://checkout.stripe.com/c/pay/cs_1#x');
    expect(toWebUrl('/account?subscription=success')).toBe(`${location.origin}/account?subscription=success`);
  });

  it.each([
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'blob:https://checkout.stripe.com/1',
    'http://',
  ])('refuses %j', (url) => {
    expect(toWebUrl(url)).toBeUndefined();
  });
});

describe('the data stored for the return from a payment', () => {
  const uidStored = () => Object.values({ ...localStorage }).some((value) => String(value).includes('uid-of-google'));

  beforeEach(() => {
    vi.useFakeTimers();
    history.replaceState(null, '', 'http://localhost:3000/domains?search=casino#row');
  });

  afterEach(() => {
    vi.useRealTimers();
    localStorage.clear();
    document.head.replaceChildren();
  });

  describe('the return URL', () => {
    it('is returned once, as the path of the screen that the user left', () => {
      saveReturnUrl(null);
      expect(takeReturnPath()).toBe('/domains?search=casino#row');
      expect(takeReturnPath()).toBeUndefined();
    });

    it.each([
      ['http://localhost:3000/risk-assessment?tab=reports', '/risk-assessment?tab=reports'],
      ['/submit-sites', '/submit-sites'],
      ['http://localhost:3000/', '/'],
    ])('%s is reduced to %s', (stored, path) => {
      expect(toReturnPath(stored)).toBe(path);
    });

    it.each([
      'https://evil.example/domains',
      'http://localhost:3001/domains',
      'https://localhost:3000/domains',
      '//evil.example/domains',
      '/\\evil.example',
      '\\\\evil.example',
      'javascript:alert(1)',
      'data:text/html,x',
      'http://localhost:3000@evil.example/domains',
      'http://localhost:3000//evil.example',
      'http://localhost:3000/auth',
      'http://localhost:3000/no-such-screen',
      'http://localhost:3000/api/account/data',
      'http://',
    ])('%j is not a screen of this site, so the account screen is returned', (stored) => {
      expect(toReturnPath(stored)).toBe('/account');
    });

    it('can be a debug screen only if debugging is on', () => {
      expect(toReturnPath('/test-stripe')).toBe('/account');
      writePageState({ debug: true });
      expect(toReturnPath('/test-stripe')).toBe('/test-stripe');
    });

    it('can be cleared if the browser did not leave', () => {
      saveReturnUrl('uid-of-google');
      clearReturnUrl();
      expect(takeReturnPath()).toBeUndefined();
      expect(uidStored()).toBe(false);
    });
  });

  describe("the identity provider's uid", () => {
    it('is removed five minutes after the return', () => {
      saveReturnUrl('uid-of-google');
      vi.advanceTimersByTime(2 * uidLifetimeMs);
      expect(uidStored()).toBe(true);
      scheduleUidRemoval();
      vi.advanceTimersByTime(uidLifetimeMs - 1);
      expect(uidStored()).toBe(true);
      vi.advanceTimersByTime(1);
      expect(uidStored()).toBe(false);
    });

    it('is removed on time even if the page is reloaded', () => {
      saveReturnUrl('uid-of-google');
      scheduleUidRemoval();
      vi.clearAllTimers();
      vi.setSystemTime(Date.now() + uidLifetimeMs - 1000);
      resumeUidRemoval();
      vi.advanceTimersByTime(1000);
      expect(uidStored()).toBe(false);
    });

    it('of a payment that is not complete is kept when the page is reloaded', () => {
      saveReturnUrl('uid-of-google');
      resumeUidRemoval();
      vi.advanceTimersByTime(2 * uidLifetimeMs);
      expect(uidStored()).toBe(true);
    });

    it('of the next payment is not removed by the timer of the previous one', () => {
      saveReturnUrl('uid-of-google');
      scheduleUidRemoval();
      saveReturnUrl('uid-of-google');
      vi.advanceTimersByTime(uidLifetimeMs);
      expect(uidStored()).toBe(true);
    });

    it('is not stored for users without one', () => {
      saveReturnUrl('uid-of-google');
      saveReturnUrl(null);
      expect(uidStored()).toBe(false);
    });
  });

  it('ignores and removes an invalid stored entry', () => {
    saveReturnUrl('uid-of-google');
    const [key = ''] = Object.keys({ ...localStorage }).filter((name) => name.includes('uid'));
    localStorage.setItem(key, 'not JSON');
    scheduleUidRemoval();
    vi.advanceTimersByTime(1);
    expect(localStorage.getItem(key)).toBeNull();
  });
});
