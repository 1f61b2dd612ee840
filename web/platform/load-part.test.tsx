// @vitest-environment happy-dom

import { act, render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { expect, test } from 'vitest';
import { lazyPart } from './load-part.ts';

test('a part that is shown keeps its nodes when its code is preloaded', async () => {
  const Part = lazyPart(async () => ({ Field: () => <input /> }), 'Field');
  const page = () => (
    <Suspense>
      <Part />
    </Suspense>
  );
  const { rerender } = await act(async () => render(page()));
  const field = screen.getByRole('textbox');
  await Part.preload?.();
  rerender(page());
  expect(screen.getByRole('textbox')).toBe(field);
});
