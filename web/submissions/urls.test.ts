import { expect, it } from 'vitest';
import { splitAtUrls, toHost } from './urls.ts';

it('takes the host out of what was pasted', () => {
  expect(toHost(' https://www.Example.com/offer?a=1#b ')).toBe('example.com');
  expect(toHost('example.com/offer')).toBe('example.com');
  expect(toHost('blog.example.com:8080')).toBe('blog.example.com');
  expect(toHost('www.example.com.')).toBe('example.com');
  expect(toHost('müller.example')).toBe('xn--mller-kva.example');
});

it('leaves names that begin with www and everything that is no address to the form', () => {
  for (const text of ['www.com', 'me@mail.example', 'two words.example', 'example', '', 'http://']) {
    expect(toHost(text)).toBe(text);
  }
});

const addresses = (text: string) =>
  splitAtUrls(text)
    .filter(({ isUrl }) => isUrl)
    .map((part) => part.text);

it('finds the web addresses of a text, without what ends the sentence', () => {
  expect(addresses('See https://a.example/x?y=1, (http://b.example). And www.c.example')).toEqual([
    'https://a.example/x?y=1',
    'http://b.example',
  ]);
});

it('makes nothing else a link', () => {
  expect(addresses('javascript:alert(1) data:text/html,x ftp://a.example https://')).toEqual([]);
});

it('loses nothing of the text', () => {
  for (const text of ['', 'plain', 'https://a.example', 'a https://a.example. b https://', '\n\nhttp://b.example\n']) {
    expect(
      splitAtUrls(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
  }
});
