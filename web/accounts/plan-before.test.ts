// @vitest-environment happy-dom

import { afterEach, expect, it } from 'vitest';
import { forgetPlan, planBefore, rememberPlan } from './plan-before.ts';

afterEach(() => sessionStorage.clear());

it('the plan before a checkout is known until it is forgotten', () => {
  expect(planBefore()).toBeUndefined();
  rememberPlan('standard');
  expect(planBefore()).toBe('standard');
  forgetPlan();
  expect(planBefore()).toBeUndefined();
});

it('what stands in the storage and is no plan is none', () => {
  sessionStorage.setItem('plan-before', 'gold');
  expect(planBefore()).toBeUndefined();
});
