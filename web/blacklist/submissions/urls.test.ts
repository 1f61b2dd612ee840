import { expect, it } from 'vitest';
import { splitAtUrls, toHost } from './urls.ts';

it('extracts the host from a pasted URL', () => {
  expect(toHost(' https://www.Example.com/offer?a=1#b ')).toBe('example.com');
  expect(toHost('example.com/offer')).toBe('example.com');
  expect(toHost('blog.example.com:8080')).toBe('blog.example.com');
  expect(toHost('www.example.com.')).toBe('example.com');
  expect(toHost('müller.example')).toBe('xn--mller-kva.example');
});

it('returns any text without a host unchanged, and keeps www if it is part of the domain', () => {
  for (const text of ['www.com', 'me@mail.example', 'two words.example', 'example', '', 'http://']) {
    expect(toHost(text)).toBe(text);
  }
});

const findUrls = (text: string) =>
  splitAtUrls(text)
    .filter(({ isUrl }) => isUrl)
    .map((part) => part.text);

it('finds URLs in a text, without trailing punctuation', () => {
  expect(findUrls('See https://a.example/x?y=1, (http://b.example). And www.c.example')).toEqual([
    'https://a.example/x?y=1',
    'http://b.example',
  ]);
});

it('finds only http and https URLs', () => {
  expect(findUrls('javascript:alert(1) data:text/html,x ftp://a.example https://')).toEqual([]);
});

it('preserves the whole text', () => {
  for (const text of ['', 'plain', 'https://a.example', 'a https://a.example. b https://', '\n\nhttp://b.example\n']) {
    expect(
      splitAtUrls(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
  }
});
