import fc from 'fast-check';
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
  ['2025. 3. 1.', '2025-03-01'],
  ['2025年3月1日', '2025-03-01'],
  ['2025년 3월 1일', '2025-03-01'],
  ['20250301', '2025-03-01'],
])('%s starts with the year', (text, date) => expect(parse(text)).toBe(date));

test.each([
  ['01.03.2025', '2025-03-01'],
  ['1.3.2025 08:15', '2025-03-01'],
  ['01.03.25', '2025-03-01'],
  ['14-03-2025', '2025-03-14'],
])('%s starts with the day', (text, date) => expect(parse(text)).toBe(date));

test.each([
  ['3/14/2025', '2025-03-14'],
  ['12/31/2024', '2024-12-31'],
  ['03-14-2025', '2025-03-14'],
  ['13/3/2025', '2025-03-13'],
  ['31/12/2024 10:00', '2024-12-31'],
  ['05/05/2025', '2025-05-05'],
  ['03.14.2025', '2025-03-14'],
])('%s has only one order, whatever that of its column', (text, date) => {
  for (const order of ['day', 'month', undefined] as const) expect(parse(text, order)).toBe(date);
});

test.each([
  ['03/04/2025', '2025-04-03', '2025-03-04'],
  ['3/4/2025, 10:00 AM', '2025-04-03', '2025-03-04'],
  ['04-03-2025', '2025-03-04', '2025-04-03'],
  ["'04-03-2025", '2025-03-04', '2025-04-03'],
  ['\u200e04-03-2025\u200b', '2025-03-04', '2025-04-03'],
])('%s is read in the order of its column, and not without one', (text, dayFirst, monthFirst) => {
  expect([parse(text, 'day'), parse(text, 'month'), parse(text)]).toEqual([dayFirst, monthFirst, undefined]);
});

test('a date with dots starts with the day, unless its column says more', () => {
  const dates = (['day', 'month', undefined] as const).map((order) => parse('03.04.2025', order));
  expect(dates).toEqual(['2025-04-03', '2025-03-04', '2025-04-03']);
});

test('the order of a column follows from the dates of which only one order is possible', () => {
  const order = (...texts: string[]) => findDateOrder(texts);
  expect(order('05/03/2024', '12/03/2024', '30/04/2024')).toBe('day');
  expect(order('05/03/2024', ' 12-30-2024 10:00')).toBe('month');
  expect(order('05/03/2024', '30/04/2024', '04/30/2024')).toBeUndefined();
  expect(order('05/03/2024', '30.04.2024', '2024-04-30', '', 'x')).toBeUndefined();
  expect(order('03.05.2024', '12.31.2023')).toBe('month');
  expect(order('05/03/2024', '30.04.2024', '04/30/2024')).toBeUndefined();
  expect(order('12.31.2023', '31.12.2023')).toBeUndefined();
});

test.each([
  ['Mar 5, 2024', '2024-03-05'],
  ['March 5 2024', '2024-03-05'],
  ['mar. 05, 2024 10:11', '2024-03-05'],
  ['Sept 30, 2024', '2024-09-30'],
  ['5 Mar 2024', '2024-03-05'],
  ['March 5th, 2024', '2024-03-05'],
  ['Tue, 05 Mar 2024 10:11:12 GMT', '2024-03-05'],
  ['5 de marzo de 2024', '2024-03-05'],
  ['05-Mar-2024', '2024-03-05'],
  ['5. march 2024', '2024-03-05'],
  ['May 1, 2024', '2024-05-01'],
  ['1 december 2024 9:00', '2024-12-01'],
  ['Mai 5, 2024', '2024-05-05'],
  ['5. März 2024', '2024-03-05'],
  ['05 Dez. 2023, 10:11', '2023-12-05'],
  ['12 août 2023', '2023-08-12'],
  ['1 févr. 2024', '2024-02-01'],
  ['3 juil. 2023', '2023-07-03'],
  ['3-ene-2024', '2024-01-03'],
  ['3 SETTEMBRE 2023', '2023-09-03'],
  ['3 outubro 2023', '2023-10-03'],
])('%s has the name of a month', (text, date) => expect(parse(text)).toBe(date));

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
  '0/14/2025',
  '14/14/2025',
  'Feb 30, 2024',
  'jui 5, 2024',
  '5 Lundi 2024',
  '05/03/24',
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

test.each([
  ['4 avr. 24', '2024-04-04'],
  ['04-Apr-24', '2024-04-04'],
  ['Apr 4, 24', '2024-04-04'],
  ["4 Apr '24 10:11", '2024-04-04'],
  ['25-03-99', '1999-03-25'],
  ['30/04/24', '2024-04-30'],
  ['04/30/24 10:15', '2024-04-30'],
  ['24-04-31', undefined],
])('%s has a year of two digits', (text, date) => expect(parse(text)).toBe(date));

test.each([
  ['03/04/24', '2024-04-03', '2024-03-04', '2003-04-24'],
  ['24-04-03', '2003-04-24', undefined, '2024-04-03'],
  ['13.04.24', '2024-04-13', undefined, '2013-04-24'],
])('%s with a year of two digits is read in the order of its column, and not without one', (text, ...dates) => {
  expect((['day', 'month', 'year'] as const).map((order) => parse(text, order))).toEqual(dates);
  expect(parse(text)).toBeUndefined();
});

test('the order of dates with a year of two digits follows from all of them', () => {
  const order = (...texts: string[]) => findDateOrder(texts, { now });
  expect(order('03/04/24', '13/04/24')).toBe('day');
  expect(order('03/04/24', '04/13/24')).toBe('month');
  expect(order('24-04-03', '24-04-13', '23-11-30')).toBe('year');
  expect(order('03/04/24', '05/06/24')).toBeUndefined();
  expect(order('13-04-24', '14-05-23')).toBeUndefined();
  expect(order('24-04-03', '30-04-03')).toBe('day');
  expect(order('13/04/24', '04/13/24')).toBeUndefined();
  expect(order('03/04/24', '13/04/24', '00/00/00', '')).toBe('day');
  expect(order('01.03.24', '30.04.24')).toBe('day');
});

test('the language decides only between the day and the month, or for the year', () => {
  const order = (language: DateOrder, ...texts: string[]) => findDateOrder(texts, { language, now });
  expect(order('day', '03/04/24', '05/06/2024')).toBe('day');
  expect(order('day', '13-04-24')).toBeUndefined();
  expect(order('year', '13-04-24')).toBe('year');
  expect(order('year', '03/04/2024')).toBeUndefined();
});

test('other columns with dates of the same form decide the order, unless they contradict each other', () => {
  const order = (...others: string[][]) => findDateOrder(['03/04/2024'], { others, language: 'day', now });
  expect(order(['04/30/2024'])).toBe('month');
  expect(order(['30/04/2024'], ['x'])).toBe('day');
  expect(order(['30/04/2024'], ['04/30/2024'])).toBeUndefined();
  expect(order(['04-30-2024'], ['04/30/24'])).toBe('day');
  expect(findDateOrder(['13/04/2024'], { others: [['04/30/2024']], now })).toBe('day');
});

test('no date of a column with years of two digits is wrong, in any format', () => {
  const formats: ((year: string, month: string, day: string) => string)[] = [
    (y, m, d) => `${d}/${m}/${y}`,
    (y, m, d) => `${m}/${d}/${y}`,
    (y, m, d) => `${y}-${m}-${d}`,
    (y, m, d) => `${d}-${m}-${y}`,
    (y, m, d) => `${d}.${m}.${y}`,
  ];
  const dates = fc.array(fc.date({ min: new Date('2010-01-01'), max: new Date(now), noInvalidDate: true }), {
    minLength: 40,
    maxLength: 60,
  });
  fc.assert(
    fc.property(dates, fc.constantFrom(...formats), (list, format) => {
      const days = list.map((date) => date.toISOString().slice(0, 10));
      const texts = days.map((date) => format(date.slice(2, 4), date.slice(5, 7), date.slice(8)));
      const order = findDateOrder(texts, { now });
      for (const [i, text] of texts.entries()) expect([days[i], undefined]).toContain(parse(text, order));
    }),
    { numRuns: 200 },
  );
});
