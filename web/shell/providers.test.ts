import { onlineManager } from '@tanstack/react-query';
import { afterEach, expect, it, vi } from 'vitest';
import { sessionKey } from '../accounts/sessions/session.tsx';
import { ApiError } from '../platform/api.ts';
import { createQueryClient } from './providers.tsx';

afterEach(() => onlineManager.setOnline(true));

const refused = () => Promise.reject(new ApiError(401, 'unauthorized', 'Please sign in.'));

it('ends the session when a call returns 401', async () => {
  const client = createQueryClient();
  client.setQueryData(sessionKey, { id: 1 });
  await expect(client.fetchQuery({ queryKey: ['x'], queryFn: refused })).rejects.toThrow('Please sign in.');
  expect(client.getQueryData(sessionKey)).toBe(null);
});

const unreachable = () => new ApiError(0, 'unreachable', 'You are offline.');

it('fails a change immediately without a connection and does not repeat it later', async () => {
  onlineManager.setOnline(false);
  const client = createQueryClient();
  const change = vi.fn(() => Promise.reject(unreachable()));
  const mutation = client.getMutationCache().build(client, { mutationFn: change });
  await expect(mutation.execute(undefined)).rejects.toThrow('offline');
  onlineManager.setOnline(true);
  expect(change).toHaveBeenCalledTimes(1);
});

it('repeats a query that lost the connection when the connection is back', async () => {
  const client = createQueryClient();
  client.mount();
  const load = vi
    .fn(async () => 'rows')
    .mockImplementationOnce(async () => {
      onlineManager.setOnline(false);
      throw unreachable();
    });
  const rows = client.fetchQuery({ queryKey: ['x'], queryFn: load });
  await vi.waitFor(() => expect(client.getQueryState(['x'])?.fetchStatus).toBe('paused'));
  expect(client.getQueryState(['x'])?.status).toBe('pending');
  onlineManager.setOnline(true);
  await expect(rows).resolves.toBe('rows');
  client.unmount();
});

it('repeats a query once if its request gets no response although the server responds', async () => {
  const load = vi.fn(() => Promise.reject(unreachable()));
  const client = createQueryClient();
  await expect(client.fetchQuery({ queryKey: ['x'], queryFn: load })).rejects.toThrow('offline');
  expect(load).toHaveBeenCalledTimes(2);
  const reset = vi.fn(async () => 'rows').mockImplementationOnce(() => Promise.reject(unreachable()));
  await expect(client.fetchQuery({ queryKey: ['y'], queryFn: reset })).resolves.toBe('rows');
});
