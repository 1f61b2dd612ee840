import { expect, test } from 'vitest';
import { type DateOrder, findDateOrder, parseExportDate } from './export-dates.ts';

const now = Date.UTC(2025, 5, 15, 18);
const parse = (text: string, order?: DateOrder) => parseExportDate(text, { order, now });

test.each([
  ['2025-03-01', '2025-03-01'],
  [' 2025-03-01 12:33:00 ', '2025-03-01'],
  ['2025-03-01T23:59:59.999Z', '2025-03-01'],
  ['2025-03-01T00:30:00+09:00', '2025-03-01'],
  ['2025-03-01 12:33:00 UTC', '2025-03-01'],
  ['2025-3-1', '2025-03-01'],
  ['2025/03/01', '2025-03-01'],
  ['2025/03/01 07:00', '2025-03-01'],
  ['2025.03.01', '2025-03-01'],
])('%s starts with the year', (text, date) => expect(parse(text)).toBe(date));

test.each([
  ['01.03.2025', '2025-03-01'],
  ['1.3.2025 08:15', '2025-03-01'],
  ['14-03-2025', '2025-03-14'],
])('%s starts with the day', (text, date) => expect(parse(text)).toBe(date));

test.each([
  ['3/14/2025', '2025-03-14'],
  ['12/31/2024', '2024-12-31'],
  ['03-14-2025', '2025-03-14'],
  ['13/3/2025', '2025-03-13'],
  ['31/12/2024 10:00', '2024-12-31'],
  ['05/05/2025', '2025-05-05'],
])('%s has only one order, whatever that of its column', (text, date) => {
  for (const order of ['day', 'month', undefined] as const) expect(parse(text, order)).toBe(date);
});

test.each([
  ['03/04/2025', '2025-04-03', '2025-03-04'],
  ['3/4/2025, 10:00 AM', '2025-04-03', '2025-03-04'],
  ['04-03-2025', '2025-03-04', '2025-04-03'],
])('%s is read in the order of its column, and not without one', (text, dayFirst, monthFirst) => {
  expect([parse(text, 'day'), parse(text, 'month'), parse(text)]).toEqual([dayFirst, monthFirst, undefined]);
});

test('the order of a column follows from the dates of which only one order is possible', () => {
  const order = (...texts: string[]) => findDateOrder(texts);
  expect(order('05/03/2024', '12/03/2024', '30/04/2024')).toBe('day');
  expect(order('05/03/2024', ' 12-30-2024 10:00')).toBe('month');
  expect(order('05/03/2024', '30/04/2024', '04/30/2024')).toBeUndefined();
  expect(order('05/03/2024', '30.04.2024', '2024-04-30', '', 'x')).toBeUndefined();
});

test.each([
  ['Mar 5, 2024', '2024-03-05'],
  ['March 5 2024', '2024-03-05'],
  ['mar. 05, 2024 10:11', '2024-03-05'],
  ['Sept 30, 2024', '2024-09-30'],
  ['5 Mar 2024', '2024-03-05'],
  ['05-Mar-2024', '2024-03-05'],
  ['5. march 2024', '2024-03-05'],
  ['May 1, 2024', '2024-05-01'],
  ['1 december 2024 9:00', '2024-12-01'],
])('%s has an English month', (text, date) => expect(parse(text)).toBe(date));

test.each([
  ['45717', '2025-03-01'],
  ['45717.9999', '2025-03-01'],
  ['45717,5', '2025-03-01'],
  ['34700', '1995-01-01'],
  ['1740787200', '2025-03-01'],
  ['1740873599', '2025-03-01'],
  ['1740873600', '2025-03-02'],
  ['1740787200123', '2025-03-01'],
])('%s is a number of days, seconds or milliseconds', (text, date) => expect(parse(text)).toBe(date));

test.each([
  '',
  '-',
  'null',
  'n/a',
  'yesterday',
  '2025-02-29',
  '2025-13-01',
  '2025-00-10',
  '2025-04-31',
  '2025-03-01-05',
  '2025-03/01',
  '2025-03-01 or later',
  '31.02.2025',
  '03.14.2025',
  '0/14/2025',
  '14/14/2025',
  '01.03.25',
  'Feb 30, 2024',
  'Mai 5, 2024',
  'Mays 5, 2024',
  '5 ma 2024',
  '123',
  '1234567',
  '174078720012',
  '45717.',
  '-45717',
])('%j is not a date', (text) => expect(parse(text)).toBeUndefined());

test('a leap day is a date', () => expect(parse('29.02.2024')).toBe('2024-02-29'));

test.each(['1994-12-31', '0096-01-01', '1970-01-01', '0000000000', '0000000000000', '34699', '12/31/1994'])(
  '%s is before 1995',
  (text) => expect(parse(text)).toBeUndefined(),
);

test('a date may be two days in the future, but not more', () => {
  expect(parse('2025-06-17')).toBe('2025-06-17');
  expect(parse('2025-06-18')).toBeUndefined();
  expect(parse(String(Date.UTC(2025, 5, 17, 23) / 1000))).toBe('2025-06-17');
  expect(parse(String(Date.UTC(2025, 5, 18) / 1000))).toBeUndefined();
  expect(parse('99999')).toBeUndefined();
  expect(parse('9999999999')).toBeUndefined();
  expect(parse('9999999999999')).toBeUndefined();
  expect(parse('9999-12-31')).toBeUndefined();
});

test('without a given time, the current one decides what is in the future', () => {
  expect(parseExportDate('2024-01-01')).toBe('2024-01-01');
  expect(parseExportDate(new Date(Date.now() + 5 * 86_400_000).toISOString())).toBeUndefined();
});
