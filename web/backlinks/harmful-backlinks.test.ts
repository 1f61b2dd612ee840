import { expect, test } from 'vitest';
import { cutPage, linkOf } from './harmful-backlinks.tsx';

test('a page is cut at 50 characters and loses nothing', () => {
  expect(cutPage('a'.repeat(50))).toEqual({ shown: 'a'.repeat(50), rest: '' });
  expect(cutPage(`${'a'.repeat(50)}bc`)).toEqual({ shown: 'a'.repeat(50), rest: 'bc' });
});

test('a character is never cut in two', () => {
  expect(cutPage(`${'a'.repeat(49)}😀b`)).toEqual({ shown: `${'a'.repeat(49)}😀`, rest: 'b' });
});

test('only web addresses become links', () => {
  expect(linkOf('https://spam.example/a?b=1')).toBe('https://spam.example/a?b=1');
  expect(linkOf('spam.example/page')).toBe('http://spam.example/page');
  expect(linkOf('spam.example')).toBe('http://spam.example/');
  for (const text of [
    'javascript:alert(1)',
    ' JavaScript:alert(1)//a.example',
    'data:text/html,x',
    'file:///etc/passwd',
    'not a page',
    '',
  ]) {
    expect(linkOf(text)).toBeUndefined();
  }
});
