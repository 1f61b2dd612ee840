import { expect, test } from 'vitest';
import { riskAssessmentSearch } from './search.ts';

test('the URL keeps the open website, report and page', () => {
  const search = {
    tab: 'reports',
    profile: 3,
    report: 7,
    page: 2,
    riskLevel: 'very high',
    find: 'shop',
    tag: 'Client A',
    sort: 'name',
    websites: 2,
  };
  expect(riskAssessmentSearch.parse(search)).toEqual(search);
});

test('invalid values become undefined', () => {
  const found = riskAssessmentSearch.parse({
    tab: 'x',
    profile: -1,
    report: 'abc',
    page: 1.5,
    riskLevel: 'huge',
    analysis: '1',
    sort: 'worst',
    tag: '',
    websites: 0,
  });
  expect(Object.values(found).every((value) => value === undefined)).toBe(true);
});
