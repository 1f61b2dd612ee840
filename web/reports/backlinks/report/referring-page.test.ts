import { expect, test } from 'vitest';
import { toSafeHref, truncatePage } from './referring-page.tsx';

test('a page URL is truncated to 50 characters and the rest is returned separately', () => {
  expect(truncatePage('a'.repeat(50))).toEqual({ shown: 'a'.repeat(50), rest: '' });
  expect(truncatePage(`${'a'.repeat(50)}bc`)).toEqual({ shown: 'a'.repeat(50), rest: 'bc' });
});

test('truncation does not split a surrogate pair', () => {
  expect(truncatePage(`${'a'.repeat(49)}😀b`)).toEqual({ shown: `${'a'.repeat(49)}😀`, rest: 'b' });
});

test('only http and https URLs and bare hosts become links', () => {
  expect(toSafeHref('https://spam.example/a?b=1')).toBe('https://spam.example/a?b=1');
  expect(toSafeHref('spam.example/page')).toBe('http://spam.example/page');
  expect(toSafeHref('spam.example')).toBe('http://spam.example/');
  for (const text of [
    'javascript:alert(1)',
    ' JavaScript:alert(1)//a.example',
    'data:text/html,x',
    'file:///etc/passwd',
    'not a page',
    '',
  ]) {
    expect(toSafeHref(text)).toBeUndefined();
  }
});
