import { expect, it } from 'vitest';
import { hostOfPasted } from './host-of-pasted.ts';

it('takes the host out of what was pasted', () => {
  expect(hostOfPasted(' https://www.Example.com/offer?a=1#b ')).toBe('example.com');
  expect(hostOfPasted('example.com/offer')).toBe('example.com');
  expect(hostOfPasted('blog.example.com:8080')).toBe('blog.example.com');
  expect(hostOfPasted('www.example.com.')).toBe('example.com');
  expect(hostOfPasted('müller.example')).toBe('xn--mller-kva.example');
});

it('leaves names that begin with www and everything that is no address to the form', () => {
  for (const text of ['www.com', 'me@mail.example', 'two words.example', 'example', '', 'http://']) {
    expect(hostOfPasted(text)).toBe(text);
  }
});
