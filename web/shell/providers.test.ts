// @vitest-environment happy-dom

import { QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { loadEarly } from '../platform/endpoint-query.ts';
import { createQueryClient } from './providers.tsx';

test('a screen does not request again what was requested for it, but what has changed since or was shown before', async () => {
  const client = createQueryClient();
  let requests = 0;
  const query = { queryKey: ['list'], queryFn: async () => (requests += 1), staleTime: 0 };
  const show = () => new QueryObserver(client, query).subscribe(() => undefined);
  const settle = () => expect.poll(() => client.isFetching()).toBe(0);

  loadEarly(client, query);
  await settle();
  const close = show();
  await settle();
  expect(requests).toBe(1);

  // The screen opens again.
  close();
  show()();
  await settle();
  expect(requests).toBe(2);

  // A change after the early request, such as a decision.
  await new Promise((resolve) => setTimeout(resolve, 5));
  await client.invalidateQueries({ queryKey: ['list'], refetchType: 'none' });
  loadEarly(client, query);
  await settle();
  await new Promise((resolve) => setTimeout(resolve, 5));
  client.setQueryData(['list'], 0);
  const before = requests;
  show();
  await settle();
  expect(requests).toBe(before + 1);
});
