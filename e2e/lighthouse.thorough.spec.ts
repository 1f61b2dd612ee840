import { expect } from '@playwright/test';
import { deviceIndependentCategories, startLighthouse } from '../scripts/lighthouse.ts';
import { test } from './test.ts';

test('public pages score 95 or more in the Lighthouse categories that do not measure speed', async ({ baseURL }) => {
  test.setTimeout(180_000);
  const lighthouse = await startLighthouse();
  try {
    for (const path of ['/', '/features', '/contact', '/api/docs']) {
      const { scores, findings } = await lighthouse.measure(baseURL + path, deviceIndependentCategories);
      expect(Math.min(...Object.values(scores)), `${path}: ${findings.join(', ')}`).toBeGreaterThanOrEqual(95);
    }
  } finally {
    await lighthouse.close();
  }
});
