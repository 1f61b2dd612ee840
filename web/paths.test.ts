import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pagePaths } from '#shared/pages.ts';
import { toSitePath } from './paths.ts';

describe('toSitePath', () => {
  it('keeps the query and hash of a screen of the site', () => {
    expect(toSitePath('/domains?search=casino&riskLevel=very%20high#row')).toBe(
      '/domains?search=casino&riskLevel=very%20high#row',
    );
    expect(toSitePath('/')).toBe('/');
  });

  it('keeps the page of a domain', () => {
    expect(toSitePath('/domain/shop.example')).toBe('/domain/shop.example');
    expect(toSitePath('/domain/a/b')).toBeUndefined();
  });

  it.each(pagePaths.filter((path) => path !== '/auth'))('keeps %s', (path) => {
    expect(toSitePath(`${path}?tab=system&page=2#top`)).toBe(`${path}?tab=system&page=2#top`);
  });

  it.each([
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://evil.example/domains',
    'https:/domains',
    'javascript:alert(1)',
    '/%2F%2Fevil.example',
    '/%5Cevil.example',
    '/\u0000/evil.example',
    '/domains%00',
    '/admin/../../auth',
    '/\t/evil.example',
    '/\n//evil.example',
    '/.//evil.example',
    '/domains/..//evil.example',
    '/@evil.example',
    ' /domains',
    'domains',
    '',
    '/auth',
    '/auth?tab=register',
    '/no-such-screen',
    '/api/auth/current-user',
  ])('refuses %j', (text) => {
    expect(toSitePath(text)).toBeUndefined();
  });

  it.each([null, undefined, 1, {}])('refuses a value that is not a string: %j', (value) => {
    expect(toSitePath(value)).toBeUndefined();
  });

  it('never returns a path outside the site, for any input', () => {
    const piece = fc.constantFrom(
      '/',
      '\\',
      '//',
      ':',
      '@',
      '.',
      '..',
      '?',
      '#',
      '%2f',
      '%2F%2F',
      '%5C',
      '\u0000',
      '\u007f',
      'javascript:',
      '\t',
      '\n',
      'evil.example',
      'domains',
      'https',
      'auth',
    );
    const hostile = fc.array(piece, { maxLength: 8 }).map((pieces) => `/${pieces.join('')}`);
    const text = fc.oneof(
      hostile,
      fc.webUrl(),
      fc.string(),
      fc.constantFrom(...pagePaths).chain((path) => fc.string().map((tail) => path + tail)),
    );
    fc.assert(
      fc.property(text, (stored) => {
        const path = toSitePath(stored);
        if (path === undefined) return true;
        const url = new URL(path, 'https://linksieve.example');
        const screen: string = url.pathname;
        return (
          url.origin === 'https://linksieve.example' &&
          screen !== '/auth' &&
          pagePaths.some((known) => known === screen) &&
          toSitePath(path) === path
        );
      }),
      { numRuns: 300 },
    );
  });
});
