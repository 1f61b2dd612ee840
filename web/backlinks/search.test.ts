import { expect, test } from 'vitest';
import { riskAssessmentSearch } from './search.ts';

test('an address says which website, report and page are open', () => {
  const search = { tab: 'reports', profile: 3, report: 7, page: 2, risk: 'very high' };
  expect(riskAssessmentSearch.parse(search)).toEqual(search);
});

test('unknown values fall back to none', () => {
  const found = riskAssessmentSearch.parse({
    tab: 'x',
    profile: -1,
    report: 'abc',
    page: 1.5,
    risk: 'huge',
    analysis: '1',
  });
  expect(Object.values(found).every((value) => value === undefined)).toBe(true);
});
