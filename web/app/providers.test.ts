import { onlineManager } from '@tanstack/react-query';
import { afterEach, expect, it, vi } from 'vitest';
import { ApiError } from '../lib/api.ts';
import { sessionKey } from '../session/session.tsx';
import { createQueryClient } from './providers.tsx';

afterEach(() => onlineManager.setOnline(true));

const refused = () => Promise.reject(new ApiError(401, 'unauthorized', 'Please sign in.'));

it('ends the session when a call returns 401', async () => {
  const client = createQueryClient();
  client.setQueryData(sessionKey, { id: 1 });
  await expect(client.fetchQuery({ queryKey: ['x'], queryFn: refused })).rejects.toThrow('Please sign in.');
  expect(client.getQueryData(sessionKey)).toBe(null);
});

it('fails a call immediately without a connection and does not retry it later', async () => {
  onlineManager.setOnline(false);
  const client = createQueryClient();
  const call = vi.fn(() => Promise.reject(new ApiError(0, 'unreachable', 'You seem to be offline.')));
  const mutation = client.getMutationCache().build(client, { mutationFn: call });
  await expect(mutation.execute(undefined)).rejects.toThrow('offline');
  expect(call).toHaveBeenCalledTimes(1);
});
