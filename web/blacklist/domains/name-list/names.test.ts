import { expect, test } from 'vitest';
import { isNameList, splitNames } from './names.ts';

test.each([
  ['one.com\r\ntwo.com\n\n three.com ', ['one.com', 'two.com', 'three.com']],
  ['one.com, two.com;three.com,', ['one.com', 'two.com', 'three.com']],
  ['"one.com","two.com"', ['one.com', 'two.com']],
  ['https://one.com/a,b;c?x=1,2 two.com', ['https://one.com/a,b;c?x=1,2', 'two.com']],
  ['https://one.com/a,https://two.com/b,', ['https://one.com/a', 'https://two.com/b']],
  ['https://one.com,two.com;three.com/a,b', ['https://one.com', 'two.com', 'three.com/a,b']],
  ['"https://one.com/a","two.com/b"', ['https://one.com/a', 'two.com/b']],
  ['<https://one.com> (two.com)', ['https://one.com', 'two.com']],
  ['one.com two.com\nONE.com', ['one.com', 'two.com']],
  [' , ;\n', []],
])('%j is split into %j', (text, names) => {
  expect(splitNames(text)).toEqual(names);
});

test.each([
  ['one.com two.com', true],
  ['Domain\none.com\ntwo.com', true],
  ['one.com\none.com', true],
  ['one.com', false],
  ['best online casino', false],
  ['https://one.com/a,b.html', false],
  ['.com shop', false],
])('%j is a list: %s', (text, isList) => {
  expect(isNameList(text)).toBe(isList);
});
