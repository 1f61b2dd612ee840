// @vitest-environment happy-dom

import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { useLastPage } from './use-list-url.ts';

afterEach(cleanup);

it('leaves a page after the last one only when the list of its filter is loaded', () => {
  const onPastEnd = vi.fn();
  const data = { pagination: { totalPages: 2 } };
  const { rerender } = renderHook((query: Parameters<typeof useLastPage>[1]) => useLastPage(4, query, onPastEnd), {
    initialProps: { data, isPlaceholderData: true },
  });
  expect(onPastEnd).not.toHaveBeenCalled();
  rerender({ data, isPlaceholderData: false });
  expect(onPastEnd).toHaveBeenCalledExactlyOnceWith(2);
});
