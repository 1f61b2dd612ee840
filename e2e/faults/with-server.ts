import { findFreePort } from '../../server/net/ports.ts';
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

/** Signs in. Throws if the response is not 200. @returns the cookie of the session */
export async function signIn(
  server: Pick<SeparateServer, 'address'>,
  { username, password }: { username: string; password: string } = admin,
): Promise<string> {
  const response = await post(server, '/api/auth/login', { username, password });
  if (!response.ok) throw new Error(`Signing in returned ${response.status}.`);
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}
