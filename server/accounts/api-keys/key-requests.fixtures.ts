import type { InjectOptions } from 'fastify';
import type { ApiKeyScope } from '#shared/accounts/api-key-scopes.ts';
import type { TestApp } from '../../test-app.fixtures.ts';

interface KeyRequest {
  body?: object;
  payload?: InjectOptions['payload'];
  headers?: Record<string, string>;
}

/** Returns functions that create keys and send requests below `/api/v1` with them. */
export function buildKeyCalls({ app, call }: TestApp) {
  return {
    /** @returns the value of a new key */
    async createKey({ cookie }: { cookie: string }, scopes: readonly ApiKeyScope[]): Promise<string> {
      return (await call('POST', '/api/api-keys', { as: cookie, body: { scopes } })).json().keyValue;
    },
    send: (
      key: string,
      method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
      path: string,
      { body, payload, headers }: KeyRequest = {},
    ) =>
      app.inject({
        method,
        url: `/api/v1${path}`,
        headers: { host: 'links.example', 'x-api-key': key, ...headers },
        ...((body ?? payload) && { payload: body ?? payload }),
      }),
  };
}
