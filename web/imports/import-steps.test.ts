import { expect, test } from 'vitest';
import { progressStep } from './import-steps.ts';

test('an import goes through the steps 10, 20, 50, 75 and 100', () => {
  const steps = [
    progressStep({ uploading: 0 }),
    progressStep({ uploading: 0.9 }),
    progressStep({ job: { status: 'processing', progress: 0 } }),
    progressStep({ job: { status: 'processing', progress: 80 } }),
    progressStep({ job: { status: 'completed', progress: 100 } }),
  ];
  expect(steps).toEqual([10, 20, 50, 75, 100]);
});
