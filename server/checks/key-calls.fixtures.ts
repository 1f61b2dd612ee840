import { startTestApp } from '../test-app.fixtures.ts';

export interface Asking {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS';
  headers?: Record<string, string | string[] | undefined>;
  payload?: string | object;
  from?: string;
}

/** A server with one listed domain, somebody with a key, and calls as a program makes them. */
export async function openKeyCalls() {
  const test = await startTestApp();
  const { app, call, signUp } = test;
  const admin = await signUp({ admin: true });
  const person = await signUp();

  const list = (domain: string, cells: object = {}) =>
    call('POST', '/api/domains', {
      as: admin.cookie,
      body: { domain, source: 'fiverr, crawler', notes: 'secret', ...cells },
    });
  const newKey = async (as = person.cookie) => {
    const { id, keyValue } = (await call('POST', '/api/api-keys', { as, body: {} })).json();
    return { id, value: keyValue as string };
  };
  await list('sold.example', { niche: 'Health', riskLevel: 'high' });
  const key = await newKey();

  /** A call as a program makes it. */
  const ask = (path: string, { method = 'GET', headers = {}, payload, from = '192.0.2.1' }: Asking = {}) =>
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
  const check = (domain: string, asking: Asking = {}) => ask(`/check?domain=${encodeURIComponent(domain)}`, asking);
  const bulk = (domains: unknown, asking: Asking = {}) =>
    ask('/check/bulk', { method: 'POST', payload: { domains }, ...asking });
  const usage = async (value = key.value) => (await ask('/usage', { headers: { 'x-api-key': value } })).json();
  return { ...test, admin, person, key, list, newKey, ask, check, bulk, usage };
}
