// @vitest-environment happy-dom

import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router';
import { act, cleanup, renderHook } from '@testing-library/react';
import { createElement, type ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pageState } from '../lib/page-state.ts';
import {
  clearReturnUrl,
  resumeUidRemoval,
  scheduleUidRemoval,
  leaveTimeoutMs,
  saveReturnUrl,
  toReturnPath,
  takeReturnPath,
  uidLifetimeMs,
  useGoToCheckout,
  toWebUrl,
} from './subscriptions.ts';

describe('leaving for a checkout', () => {
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
    return { assigned, history, ...renderHook(() => useGoToCheckout(), { wrapper }) };
  }

  const checkout = 'https://checkout.stripe.com/c/pay/cs_1';

  it('goes to a screen of this site, and to the payment provider', () => {
    const { assigned, history, result } = openScreen();
    act(() => expect(result.current.goToCheckout(checkout)).toBe(true));
    expect(assigned.mock.calls).toEqual([[checkout]]);
    expect(result.current.isLeaving).toBe(true);
    act(() => expect(result.current.goToCheckout('/simulate-checkout?tier=standard')).toBe(true));
    expect(history.location.href).toBe('/simulate-checkout?tier=standard');
  });

  it('leads nobody away who has left the screen', () => {
    const { assigned, history, result, unmount } = openScreen();
    unmount();
    expect(result.current.goToCheckout(checkout)).toBe(false);
    expect(result.current.goToCheckout('/simulate-checkout?tier=standard')).toBe(false);
    expect(assigned).not.toHaveBeenCalled();
    expect(history.location.href).toBe('/account');
  });

  it('leads nobody away who has set out for another screen that is still being loaded', () => {
    const { assigned, history, result } = openScreen();
    act(() => history.push('/features'));
    expect(result.current.goToCheckout(checkout)).toBe(false);
    act(() => history.back());
    act(() => expect(result.current.goToCheckout(checkout)).toBe(true));
    expect(assigned.mock.calls).toEqual([[checkout]]);
  });

  it('a page that the browser does not leave can be used again', () => {
    vi.useFakeTimers();
    const { result } = openScreen();
    act(() => void result.current.goToCheckout(checkout));
    act(() => vi.advanceTimersByTime(leaveTimeoutMs - 1));
    expect(result.current.isLeaving).toBe(true);
    act(() => vi.advanceTimersByTime(1));
    expect(result.current.isLeaving).toBe(false);
  });
  it('a checkout is an address of the web, here or elsewhere', () => {
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
  ])('%j is none', (url) => {
    expect(toWebUrl(url)).toBeUndefined();
  });
});

describe('what is remembered for the way back', () => {
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

  describe('the address to return to', () => {
    it('is told once, as the path of the screen that was left', () => {
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
    ])('%j is no screen of ours: the account it is', (stored) => {
      expect(toReturnPath(stored)).toBe('/account');
    });

    it('is a screen for trying things out only where there are such', () => {
      expect(toReturnPath('/test-stripe')).toBe('/account');
      const meta = document.createElement('meta');
      meta.name = 'page-state';
      meta.content = JSON.stringify({ ...pageState(), debug: true });
      document.head.append(meta);
      expect(toReturnPath('/test-stripe')).toBe('/test-stripe');
    });

    it('is forgotten where the browser did not leave', () => {
      saveReturnUrl('uid-of-google');
      clearReturnUrl();
      expect(takeReturnPath()).toBeUndefined();
      expect(uidStored()).toBe(false);
    });
  });

  describe("the identity provider's id", () => {
    it('goes five minutes after the return', () => {
      saveReturnUrl('uid-of-google');
      vi.advanceTimersByTime(2 * uidLifetimeMs);
      expect(uidStored()).toBe(true);
      scheduleUidRemoval();
      vi.advanceTimersByTime(uidLifetimeMs - 1);
      expect(uidStored()).toBe(true);
      vi.advanceTimersByTime(1);
      expect(uidStored()).toBe(false);
    });

    it('goes at that time also when the page was loaded anew meanwhile, or later', () => {
      saveReturnUrl('uid-of-google');
      scheduleUidRemoval();
      vi.clearAllTimers();
      vi.setSystemTime(Date.now() + uidLifetimeMs - 1000);
      resumeUidRemoval();
      vi.advanceTimersByTime(1000);
      expect(uidStored()).toBe(false);
    });

    it('of a payment that goes on is left alone by a load of the page', () => {
      saveReturnUrl('uid-of-google');
      resumeUidRemoval();
      vi.advanceTimersByTime(2 * uidLifetimeMs);
      expect(uidStored()).toBe(true);
    });

    it('of the next payment is not taken away by the timer of the one before', () => {
      saveReturnUrl('uid-of-google');
      scheduleUidRemoval();
      saveReturnUrl('uid-of-google');
      vi.advanceTimersByTime(uidLifetimeMs);
      expect(uidStored()).toBe(true);
    });

    it('is not stored for people without one', () => {
      saveReturnUrl('uid-of-google');
      saveReturnUrl(null);
      expect(uidStored()).toBe(false);
    });
  });

  it('what stands in the storage and is not ours breaks nothing', () => {
    saveReturnUrl('uid-of-google');
    const [key = ''] = Object.keys({ ...localStorage }).filter((name) => name.includes('uid'));
    localStorage.setItem(key, 'not JSON');
    scheduleUidRemoval();
    vi.advanceTimersByTime(1);
    expect(localStorage.getItem(key)).toBeNull();
  });
});
