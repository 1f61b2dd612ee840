import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '../../server/platform/net/ports.ts';
import { type SeparateServer, startSeparateServer } from '../separate-server.ts';

/** The account that a trial can sign in with. */
export const admin = { username: 'admin', email: 'admin@mail.example', password: 'a long enough secret' };

/** Starts a server with its own embedded database and an admin for a trial, and removes both at the end. */
export async function withServer<Result>(
  trial: (server: SeparateServer) => Promise<Result>,
  settings: Record<string, string> = {},
): Promise<Result> {
  const server = await startSeparateServer(await findFreePort(), {
    ADMIN_USERNAME: admin.username,
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    ...settings,
  });
  try {
    return await trial(server);
  } finally {
    await server.stop();
  }
}

/** Sends JSON as this site's pages do. @param cookie of a session, see `signIn` */
export function post({ address }: Pick<SeparateServer, 'address'>, path: string, body: object, cookie = '') {
  return fetch(`${address}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie },
    body: JSON.stringify(body),
  });
}

/**
 * Signs in.
 * @returns the cookie of the session
 * @throws if the response is not 200
 */
export async function signIn(
  server: Pick<SeparateServer, 'address'>,
  { username, password }: { username: string; password: string } = admin,
): Promise<string> {
  const response = await post(server, '/api/auth/login', { username, password });
  if (!response.ok) throw new Error(`Signing in returned ${response.status}.`);
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

/** Uploads a file as this site's pages do. @returns the parsed body of a 200 or 202 response */
export async function upload<Body>(
  server: Pick<SeparateServer, 'address'>,
  path: string,
  {
    field,
    file: { name, content },
    cookie,
    fields = {},
  }: { field: string; file: { name: string; content: string | Blob }; cookie: string; fields?: Record<string, string> },
): Promise<Body> {
  const form = new FormData();
  for (const [key, value] of Object.entries(fields)) form.set(key, value);
  form.set(field, content instanceof Blob ? content : new Blob([content]), name);
  const response = await fetch(`${server.address}${path}`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', cookie },
    body: form,
  });
  if (response.status !== 200 && response.status !== 202)
    throw new Error(`The upload returned ${response.status}: ${await response.text()}`);
  return (await response.json()) as Body;
}

/** Gets JSON. @throws if the response is not 200 */
export async function get<Body>(server: Pick<SeparateServer, 'address'>, path: string, cookie: string): Promise<Body> {
  const response = await fetch(`${server.address}${path}`, { headers: { cookie } });
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
  return (await response.json()) as Body;
}

/**
 * Calls `read` every 200 ms until it returns a value. Failed calls count as no value, because the server may be
 * starting.
 */
export async function waitFor<Value>(read: () => Promise<Value | undefined>, timeoutMs = 300_000): Promise<Value> {
  const start = Date.now();
  for (;;) {
    let failure: unknown;
    const value = await read().catch((error: unknown) => {
      failure = error;
      return undefined;
    });
    if (value !== undefined) return value;
    if (Date.now() - start > timeoutMs)
      throw new Error(`Nothing happened within ${timeoutMs / 1000} s.`, { cause: failure });
    await delay(200);
  }
}

/** The process ID of the embedded PostgreSQL. */
export async function findPostmasterPid({ dataDir }: Pick<SeparateServer, 'dataDir'>): Promise<number> {
  const file = await readFile(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8');
  return Number(file.split('\n')[0]);
}
