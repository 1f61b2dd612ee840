import { expect, it } from 'vitest';
import { addressParts } from './address-parts.ts';

const addresses = (text: string) =>
  addressParts(text)
    .filter(({ isAddress }) => isAddress)
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
      addressParts(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
  }
});
