import { startTestApp } from '../../test-app.fixtures.ts';

export interface RequestOptions {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS';
  headers?: Record<string, string | string[] | undefined>;
  payload?: string | object;
  from?: string;
}

/**
 * Starts an app with a listed domain and a user with an API key. Returns functions that call the public API with this
 * key.
 */
export async function startKeyApp() {
  const test = await startTestApp();
  const { app, call, signUp } = test;
  const admin = await signUp({ admin: true });
  const user = await signUp();

  const createDomain = (domain: string, cells: object = {}) =>
    call('POST', '/api/domains', {
      as: admin.cookie,
      body: { domain, source: 'fiverr, crawler', notes: 'secret', ...cells },
    });
  const createKey = async (as = user.cookie) => {
    const { id, keyValue } = (await call('POST', '/api/api-keys', { as, body: {} })).json();
    return { id, value: keyValue as string };
  };
  await createDomain('sold.example', { niche: 'Health', riskLevel: 'high' });
  const key = await createKey();

  /** Sends a request to `/api/v1` with the key of the user, unless the options contain another one. */
  const send = (path: string, { method = 'GET', headers = {}, payload, from = '192.0.2.1' }: RequestOptions = {}) =>
    app.inject({
      method,
      url: `/api/v1${path}`,
      remoteAddress: from,
      headers: Object.fromEntries(
        Object.entries({ host: 'links.example', 'x-api-key': key.value, ...headers }).filter(
          ([, value]) => value !== undefined,
        ),
      ),
      ...(payload !== undefined && { payload }),
    });
  const check = (domain: string, options: RequestOptions = {}) =>
    send(`/check?domain=${encodeURIComponent(domain)}`, options);
  const bulk = (domains: unknown, options: RequestOptions = {}) =>
    send('/check/bulk', { method: 'POST', payload: { domains }, ...options });
  const usage = async (value = key.value) => (await send('/usage', { headers: { 'x-api-key': value } })).json();
  return { ...test, admin, user, key, createDomain, createKey, send, check, bulk, usage };
}
