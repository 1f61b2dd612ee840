import { expect, test } from 'vitest';
import { createUnwrapper, hasQuotedLines } from './quoted-lines.ts';

const quote = (line: string) => `"${line.replaceAll('"', '""')}"`;
const rows = ['https://bad1.com/a,https://client.com/,x', 'https://bad2.com/b,https://own.com/,"a, b"'];
const table = ['Source url,Target url,Anchor', ...rows];
const quoted = table.map(quote);
const unwrap = (lines: readonly string[]) => createUnwrapper()(Buffer.from(lines.join('\n')), true).toString();
const check = (lines: readonly string[]) => hasQuotedLines(Buffer.from(lines.join('\n')));

test.each<[string, before: string[], after: string[]]>([
  ['a separator', ['sep=,'], []],
  ['a title', ['Report'], []],
  ['a quoted title', ['"Report for own.com"', ''], []],
  ['a title and a total', ['Report', '""'], ['"Total: 2"']],
  ['a total', [], ['"Total: 2"']],
  ['a line with too many cells', [], [quote('https://bad3.com/a,https://client.com/,cheap, links')]],
  ['lines that stayed as they were', ['"Report"'], ['https://bad3.com/a,https://client.com/,y']],
])('whole lines in quotation marks are unwrapped with %s', (_, before, after) => {
  expect(check([...before, ...quoted, ...after])).toBe(true);
  expect(check([...before, ...quoted.map(quote), ...after])).toBe(true);
  expect(check([...before, ...table])).toBe(false);
});

test('lines that were quoted several times are unwrapped', () => {
  expect(unwrap(quoted)).toBe(table.join('\n'));
  expect(unwrap(quoted.map(quote))).toBe(table.join('\n'));
  expect(unwrap(quoted.map((line) => `${quote(`${line};`)},,`))).toBe(table.join('\n'));
});

test.each([
  ['URLs with commas', ['"https://bad1.com/a,b"', 'https://bad2.com/', '"https://bad3.com/a,b"', 'https://bad4.com/']],
  [
    'URLs with commas below a header',
    ['Linking page', '"https://bad1.com/a,b"', '"https://bad2.com/a,b,c"', 'https://bad4.com/'],
  ],
  ['texts with commas', ['Title', '"Hello, world"', 'Hello', '"One, two, three"', '"Four"']],
  ['formulas', ['Page', ...['1', '2', '3'].map((n) => quote(`=HYPERLINK("https://bad${n}.com/","a ${n}")`))]],
  ['lines without a header, some with commas', ['"https://bad1.com/,x"', '"https://bad2.com/"', 'https://bad3.com/,y']],
])('a column of %s is not a table of quoted lines', (_, lines) => {
  expect(check(lines)).toBe(false);
});
